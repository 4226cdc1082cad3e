"""Joins two interfaces as a slow and lossy link would, until it is killed.

Kernels without netem have no other way. ``bridge.py A B DELAY_SECONDS LOSS``; with only one name it
switches that interface's offloads off, so that frames leave it as they are on a wire.
"""

import ctypes
import fcntl
import heapq
import random
import select
import socket
import struct
import sys
import time

_ALL_PROTOCOLS = 3
_SOL_PACKET = 263
_ADD_MEMBERSHIP = 1
_PROMISCUOUS = 1
_OUTGOING = 4
_ETHTOOL = 0x8946
_OFFLOADS = (0x17, 0x1F, 0x19, 0x24, 0x2C)  # checksums, TSO, scatter and gather, GSO, GRO


def without_offloads(interface: str) -> None:
    with socket.socket() as any_socket:
        for command in _OFFLOADS:
            off = ctypes.create_string_buffer(struct.pack("II", command, 0))
            request = struct.pack("16sP", interface.encode(), ctypes.addressof(off))
            try:
                fcntl.ioctl(any_socket, _ETHTOOL, request)
            except OSError:
                continue  # it has no such offload


def opened(interface: str) -> socket.socket:
    frames = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS))
    frames.bind((interface, 0))
    everything = struct.pack("IHH8s", socket.if_nametoindex(interface), _PROMISCUOUS, 0, b"")
    frames.setsockopt(_SOL_PACKET, _ADD_MEMBERSHIP, everything)
    frames.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    frames.setblocking(False)
    return frames


def join(ends: tuple[socket.socket, socket.socket], delay: float, loss: float) -> None:
    others = {ends[0]: ends[1], ends[1]: ends[0]}
    number = 0
    late: list[tuple[float, int, socket.socket, bytes]] = []
    while True:
        wait = max(0.0, late[0][0] - time.monotonic()) if late else 1.0
        for end in select.select(ends, [], [], wait)[0]:
            frame, address = end.recvfrom(1 << 16)
            if address[2] != _OUTGOING and random.random() >= loss:
                number += 1
                heapq.heappush(late, (time.monotonic() + delay, number, others[end], frame))
        while late and late[0][0] <= time.monotonic():
            _, _, end, frame = heapq.heappop(late)
            try:
                end.send(frame)
            except OSError as error:
                print(error, len(frame), flush=True)


if len(sys.argv) == 2:
    without_offloads(sys.argv[1])
else:
    for name in sys.argv[1:3]:
        without_offloads(name)
    interfaces = (opened(sys.argv[1]), opened(sys.argv[2]))
    print("joined", flush=True)
    join(interfaces, float(sys.argv[3]), float(sys.argv[4]))
