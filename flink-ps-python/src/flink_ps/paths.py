"""Folders of this machine, as Flink names them."""

import re
from pathlib import Path

_FILE = "file:"
_OF_A_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def local_folder(name: str) -> Path:
    """The folder of a path or of a ``file:`` URI, of which, as in Flink, nothing is decoded.

    Raises:
        ValueError: If it is a URI of another machine or file system.
    """
    path = name
    if name.startswith(_FILE):
        path = name.removeprefix(_FILE)
        if path.startswith("//"):
            path = path.removeprefix("//")  # and no host behind it
        if not path.startswith("/"):
            raise ValueError(f"{name} is no folder of this machine, which is named file:///PATH")
    elif _OF_A_URI.match(name):
        raise ValueError(f"{name} is no folder of this machine: it is no path and no file: URI")
    return Path(path)
