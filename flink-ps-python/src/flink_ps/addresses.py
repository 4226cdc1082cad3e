"""Addresses of servers."""

import json
import re
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

from flink_ps.checks import must_be
from flink_ps.paths import local_folder

_NO_HOST = re.compile(r"[,;\s]")


def split(address: str) -> tuple[str, int]:
    """Host and port of ``host:port``, where an IPv6 address stands in brackets.

    Raises:
        ValueError: If it is no address.
    """
    host, _, port = address.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    is_port = port.isascii() and port.isdecimal() and 1 <= int(port) <= 65535
    if not host or _NO_HOST.search(host) or not is_port:
        raise ValueError(f"not an address: '{address}'; expected host:port")
    return host, int(port)


def training_servers(model_root: str, model: str, database: str = "default") -> list[str]:
    """The addresses of the servers inside a job that trains a model, for :class:`Client`.

    Where the job's TaskManagers have their machine's loopback address, clients of that machine
    reach them in clear. Others show a token, which the job's option ``server-token-file`` takes of
    readers. What a job has left behind, if it was killed, is found too; where several runs have
    left something, that of which a server can be reached, the latest first.

    Args:
        model_root: Folder of this machine that has the models.
        model: Name of the model.
        database: Name of the model's database.

    Raises:
        ValueError: If no job trains such a model.
    """
    must_be(model, str, "the name of a model")
    must_be(database, str, "the name of a database")
    folder = local_folder(model_root) / database / model / "registry"
    runs = _published(folder)
    if not runs:
        raise ValueError(f"no job trains model '{model}': {folder} names no servers")
    if len(runs) == 1:
        return runs[0]
    return next((run for run in runs if any(map(_answers, run))), runs[0])


def _published(folder: Path) -> list[list[str]]:
    """The addresses of each run, those first whose file has changed last.

    The times in the files are of the machines that wrote them, whose clocks may be apart.
    """
    runs = []
    for file in folder.glob("*.json"):
        if not file.name.startswith("private-"):
            try:
                changed = file.stat().st_mtime_ns
                servers = [str(address) for address in json.loads(file.read_bytes())["addresses"]]
            except (OSError, ValueError, KeyError, TypeError):
                continue  # it is being removed, or none of ours
            if servers:
                runs.append((changed, servers))
    return [servers for _, servers in sorted(runs, reverse=True)]


def _answers(server: str) -> bool:
    """Whether something listens at the address of a server."""
    try:
        with socket.create_connection(split(server.partition("#")[0]), timeout=2):
            return True
    except (OSError, ValueError):
        return False


class Reached(NamedTuple):
    """How a server is reached.

    Attributes:
        place: ``host:port``.
        pins: Fingerprints of the certificates by which it is known; none: by other means.
        is_local: Whether it is for its machine only, and so neither encrypts nor asks.
    """

    place: str
    pins: tuple[str, ...]
    is_local: bool


def reached(server: str) -> Reached:
    """How a server is reached from here.

    Args:
        server: ``host:port``; of one inside a job, behind it ``#name``, then ``@machine`` that
            alone reaches it or ``!`` and its certificates' fingerprints, with ``+`` between.

    Raises:
        ValueError: If nobody but its job or its machine reaches it.
    """
    place, inside, rest = server.partition("#")
    rest, _, pins = rest.partition("!")
    _, on_machine, machine = rest.partition("@")
    if on_machine and machine != socket.gethostname():
        raise ValueError(
            f"server {place} is on {machine}, out of reach from here: the taskmanager.host of its"
            " TaskManager is loopback"
        )
    if inside and not on_machine and not pins:
        raise ValueError(
            f"server {place} is inside a job, and takes connections of that job only: set the"
            " job's option server-token-file, and token_file here"
        )
    return Reached(place, tuple(pins.split("+")) if pins else (), bool(on_machine))


def checked(servers: object, what: str) -> tuple[str, ...]:
    """The addresses of several servers, in their order.

    Raises:
        ValueError: Naming what they are, if one is no address, or there twice, or there is none.
    """
    if not isinstance(servers, Sequence) or isinstance(servers, str) or not servers:
        raise ValueError(f"{what} must be addresses host:port, not {servers!r}")
    seen = set()
    for address in cast(Sequence[object], servers):
        if not isinstance(address, str):
            raise ValueError(f"{what} must be addresses host:port, not {address!r}")
        try:
            place = split(address)
        except ValueError as e:
            raise ValueError(f"{what}: {e}") from None
        if place in seen:
            raise ValueError(f"{what}: server {address} is named twice")
        seen.add(place)
    return tuple(cast(Sequence[str], servers))
