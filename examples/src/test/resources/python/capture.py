"""Writes all frames that pass an interface to a file, until it is killed.

Usage: capture.py INTERFACE FILE [PORT ..], without the frames from and to these ports of TCP.
"""

import socket
import struct
import sys

_ALL_PROTOCOLS = 3
_ETHERNET = 14
_IPV4 = b"\x08\x00"
_TCP = 6


def _ports(frame):
    """Returns the ports between which a segment of TCP goes, none of other frames."""
    header = frame[_ETHERNET:]
    if frame[12:_ETHERNET] != _IPV4 or header[9] != _TCP:
        return set()
    return set(struct.unpack_from(">HH", header, 4 * (header[0] & 15)))


left_out = {int(port) for port in sys.argv[3:]}
passing = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS))
passing.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
passing.bind((sys.argv[1], 0))
with open(sys.argv[2], "wb") as out:
    while True:
        frame = passing.recv(1 << 17)
        if not _ports(frame) & left_out:
            out.write(frame)
            out.flush()
