"""Where rows live, as Java's ``KeyHash`` and ``PlacementRing`` say."""

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from flink_ps.batches import Keys

Hashes = npt.NDArray[np.uint64]

_M1 = 0xBF58476D1CE4E5B9
_M2 = 0x94D049BB133111EB
_MASK = (1 << 64) - 1
_VIRTUAL_NODES = 256


def mix64(key: int) -> int:
    """The finalizer of SplitMix64, a bijection of the 64-bit integers, here unsigned."""
    z = key & _MASK
    z = ((z ^ (z >> 30)) * _M1) & _MASK
    z = ((z ^ (z >> 27)) * _M2) & _MASK
    return z ^ (z >> 31)


def hash_keys(keys: Keys, bits: int) -> Hashes:
    """The hashes of keys of a key space of ``2^bits``; their top bits name the partition."""
    z = keys.astype(np.uint64)
    if bits == 64:
        first, second, third = 30, 27, 31
    else:
        first = second = third = (bits + 1) // 2
    mask = np.uint64((1 << bits) - 1)
    z = ((z ^ (z >> np.uint64(first))) * np.uint64(_M1)) & mask
    z = ((z ^ (z >> np.uint64(second))) * np.uint64(_M2)) & mask
    z ^= z >> np.uint64(third)
    return z << np.uint64(64 - bits)


def primaries(servers: int, partitions: int) -> list[int]:
    """The server of each partition: consistent hashing with bounded loads."""
    nodes = {
        _signed(mix64((server << 32 | node) ^ 0x5BD1E9955BD1E995)): server
        for server in range(servers)
        for node in range(_VIRTUAL_NODES)
    }
    points = sorted(nodes)
    ring = [nodes[point] for point in points]
    limit = -(-partitions // servers)
    load = [0] * servers
    found = []
    for partition in range(partitions):
        start = bisect_left(points, _signed(mix64(0x9E3779B97F4A7C15 + partition)))
        server = next(s for s in _around(ring, start) if load[s] < limit)
        load[server] += 1
        found.append(server)
    return found


def _around(ring: list[int], start: int) -> Iterator[int]:
    yield from ring[start:]
    yield from ring[:start]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
