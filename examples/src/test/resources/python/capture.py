"""Writes all frames that pass an interface to a file, until it is killed."""

import socket
import sys

_ALL_PROTOCOLS = 3

passing = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS))
passing.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
passing.bind((sys.argv[1], 0))
with open(sys.argv[2], "wb") as out:
    while True:
        out.write(passing.recv(1 << 17))
        out.flush()
