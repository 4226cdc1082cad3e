"""Addresses of servers."""

import re
from collections.abc import Sequence
from typing import cast

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
