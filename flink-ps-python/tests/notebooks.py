"""Makes the notebooks of examples/notebooks anew: ``bin/notebooks [NAME ..]``."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import built

FOLDER = built.ROOT / "examples" / "notebooks"
SECONDS = 300
_OTHER_THREAD = "NullPointerException: metadataHandlerProvider"
_MADE_ANEW = re.compile(r"0x[0-9a-f]{6,}")


def names() -> list[str]:
    """Of the notebooks, without ``.ipynb``."""
    return sorted(file.stem for file in FOLDER.glob("*.ipynb"))


def path(name: str) -> Path:
    """Where a notebook lies."""
    return FOLDER / f"{name}.ipynb"


def read(name: str) -> Any:
    """A notebook as it is checked in."""
    return nbformat.read(path(name), as_version=4)


def prepare(setenv: Callable[[str, str], None]) -> None:
    """Sets what the process of a notebook needs of its environment."""
    paths = [str(built.ROOT / "flink-ps-python" / "src"), os.environ.get("PYTHONPATH", "")]
    setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    setenv("_python_worker_execution_mode", "process")


def run(name: str) -> Any:
    """A notebook with the outputs of a run of all its cells, in its folder.

    When Python collects garbage while a cell runs, Py4J may make the cell's next call on another
    thread of the JVM, for which Flink's planner has no state. The notebook is then run once more.
    """
    try:
        return _run(name)
    except CellExecutionError as error:
        if _OTHER_THREAD not in str(error):
            raise
        return _run(name)


def _run(name: str) -> Any:
    notebook = read(name)
    for cell in code(notebook):
        cell.outputs, cell.execution_count = [], None
    NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    for cell in code(notebook):
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def code(notebook: Any) -> list[Any]:
    """The cells that are run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(cell: Any) -> list[str]:
    """What a cell has put out: its texts, and of each picture that there is one."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data:
            found.append("a picture")
        elif "text/plain" in data:
            found.append(data["text/plain"])
        else:
            found.append(output.get("text", output.get("evalue", "")))
    return [_MADE_ANEW.sub("..", text) for text in found]


def missing(notebook: Any) -> Path | None:
    """The data set that a notebook names in its metadata, if it is not there."""
    name = notebook.metadata.get("data")
    if name is None:
        return None
    place = os.environ.get("FLINK_PS_DATA") or built.ROOT.parent / "shared" / "data"
    file = Path(place, name)
    return None if file.exists() else file


def main(chosen: list[str]) -> None:
    """Writes notebooks with the outputs of a new run."""
    prepare(os.environ.__setitem__)
    for name in chosen or names():
        print(f"Running {name} ...", flush=True)
        nbformat.write(run(name), path(name))


if __name__ == "__main__":
    main(sys.argv[1:])
