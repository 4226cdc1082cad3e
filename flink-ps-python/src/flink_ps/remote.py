"""Models and tables on servers."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from flink_ps import batches, placement, wire
from flink_ps.checks import must_be, shown
from flink_ps.definition import TableSpec
from flink_ps.errors import ErrorCode, PsError
from flink_ps.features import MOST_BITS, feature_key
from flink_ps.pool import Pool
from flink_ps.wire import Api, Connection, Deadline

_KEYS = 1
_RANGE = 3
_REQUEST_BYTES = 1 << 20
_RANGE_BYTES = 4 << 20
_EXCHANGE_BYTES = 64 + 64
_MOST_SLOTS = 16
_SIGNATURE = 0
"""Of all key lists, so that a server keeps no more than the last one."""

Places = npt.NDArray[np.int64] | slice


@dataclass(frozen=True)
class Host:
    """A server and what it has of a model.

    Attributes:
        address: Of the server.
        identity: Of the server process.
        owners: Its owner threads.
        session: Number of the registration there.
        tables: Their numbers there and definitions, by name.
    """

    address: str
    identity: int
    owners: int
    session: int
    tables: Mapping[str, tuple[int, TableSpec]]


@dataclass(frozen=True)
class _Part:
    """What one request pulls.

    Attributes:
        addressing: Keys or a range.
        first: Of the range; 0 for keys.
        end: Of the range.
        message: Arrow message of the keys; empty for a range.
        rows: That it pulls.
        places: Where they go in the result, in the order of the answer.
    """

    addressing: int
    first: int
    end: int
    message: bytes
    rows: int
    places: list[Places]


class RemoteModel:
    """A model on servers: definitions as they were when it was opened, values as they are.

    Attributes:
        name: Of the model.
        tables: By name.
    """

    def __init__(self, pool: Pool, name: str, hosts: list[Host]) -> None:
        self.name = name
        # One that is just being created or dropped is not at all servers.
        everywhere = [
            table for table in hosts[0].tables if all(table in host.tables for host in hosts)
        ]
        self.tables: Mapping[str, RemoteTable] = {
            table: RemoteTable(pool, name, table, hosts) for table in everywhere
        }

    def table(self, name: str) -> "RemoteTable":
        """The table of that name.

        Raises:
            KeyError: If there is none.
        """
        if name not in self.tables:
            raise KeyError(f"model '{self.name}' has no table '{name}'; it has {list(self.tables)}")
        return self.tables[name]


class RemoteTable:
    """A table on servers.

    Attributes:
        spec: Its definition.
    """

    def __init__(self, pool: Pool, model: str, name: str, hosts: list[Host]) -> None:
        self.spec = hosts[0].tables[name][1]
        self._pool = pool
        self._model = model
        self._hosts = hosts
        self._values = batches.schema(self.spec.width, keys=False)
        servers = self.spec.servers_of(len(hosts))
        links = [(s, p % hosts[s].owners) for p, s in enumerate(servers)]
        self._links = sorted(set(links))
        self._link_of = np.array([self._links.index(link) for link in links])
        self._rows_per_partition = -(-self.spec.size // self.spec.partitions)

    def pull(
        self, keys: Iterable[int] | npt.ArrayLike | pa.Array, *, timeout: float | None = None
    ) -> pa.RecordBatch:
        """The rows of these keys, in this order; a key may come more than once.

        A key that was never trained has its initial value, and is not created by this.

        Returns:
            ``key`` and ``value``, a list of ``spec.width`` float32.

        Raises:
            ValueError: If keys are no whole numbers, or the time is none.
            PsError: KEY_OUT_OF_RANGE for keys that the table cannot have, and what servers answer.
        """
        wanted = _to_keys(keys)
        self._check(wanted)
        order = self._order(wanted)
        # The wire wants them unique, and in the order of hashes or, of a dense table, keys.
        order, first, inverse = np.unique(order, return_index=True, return_inverse=True)
        sent = wanted[first]
        links = self._link_of[self.spec.partitions_of(sent)]
        most = max(1, _REQUEST_BYTES // (4 * self.spec.width + 8))
        parts: dict[int, deque[_Part]] = {}
        for link in range(len(self._links)):
            own = np.flatnonzero(links == link)
            for start in range(0, len(own), most):
                places = own[start : start + most]
                parts.setdefault(link, deque()).append(_part_of_keys(sent[places], places))
        values = self._exchange(parts, len(sent), timeout)
        return batches.to_batch(wanted, values[inverse])

    def pull_features(
        self,
        features: Sequence[str | tuple[str, str | None]],
        *,
        bits: int = MOST_BITS,
        timeout: float | None = None,
    ) -> pa.RecordBatch:
        """The rows of features of raw columns, whose keys are hashes, in this order.

        Args:
            features: The name of a column of numbers, or a column and a value of it, None for
                NULL.
            bits: Of the keys: ``hash-bits`` of the model.
            timeout: As of :meth:`pull`.

        Returns:
            As :meth:`pull`.

        Raises:
            ValueError: For what is no feature, and for other bits than 1 to 64.
            PsError: As of :meth:`pull`.
        """
        must_be(features, Sequence, "features")
        return self.pull([_key(each, bits) for each in features], timeout=timeout)

    def pull_range(self, start: int, end: int, *, timeout: float | None = None) -> pa.RecordBatch:
        """The rows of the keys from ``start`` to before ``end`` of a dense table.

        Returns:
            As :meth:`pull`.

        Raises:
            ValueError: If an end is no whole number, or the time is none.
            PsError: KEY_OUT_OF_RANGE if the table has no such range, and what servers answer.
        """
        start, end = _to_key(start, "start"), _to_key(end, "end")
        if self.spec.is_sparse or not 0 <= start <= end <= self.spec.size:
            size = "sparse" if self.spec.is_sparse else self.spec.size
            message = f"no range {start} to {end} in table '{self.spec.name}' of size {size}"
            raise PsError(ErrorCode.KEY_OUT_OF_RANGE, message)
        parts = self._parts_of_range(start, end)
        values = self._exchange(parts, end - start, timeout)
        return batches.to_batch(np.arange(start, end, dtype=np.int64), values)

    def scan(
        self, *, slots: bool = False, timeout: float | None = None
    ) -> Iterator[pa.RecordBatch]:
        """All rows that servers have, partition by partition; while they train, not at one moment.

        Args:
            slots: Whether to read what the optimizer keeps beside the values too.
            timeout: Of each batch.

        Returns:
            Batches of ``key``, ``value`` and with ``slots`` ``slot_0`` and so on.

        Raises:
            ValueError: If ``slots`` is neither True nor False, or the time is none.
            PsError: What servers answer, when it is read.
        """
        must_be(slots, bool, "slots")
        self._pool.deadline(timeout)
        return self._scan(slots, timeout)

    def _scan(self, slots: bool, timeout: float | None) -> Iterator[pa.RecordBatch]:
        for partition, index in enumerate(self._link_of):
            server, owner = self._links[index]
            cursor = 0
            while cursor >= 0:
                deadline = self._pool.deadline(timeout)
                out = wire.Writer().pack(
                    "iii", self._hosts[server].session, self._number(server), partition
                )
                out.pack("qi", cursor, slots)
                answer = self._ask(server, owner, out.finish(), deadline)
                fields = answer.reader().unpack("iiiiiqqqqii")
                rows, planes, cursor, offset, length = (fields[i] for i in (3, 4, 5, 9, 10))
                if not 0 <= planes <= _MOST_SLOTS:
                    raise wire.malformed(f"{planes} slots")
                batch = answer.batch(offset, length, rows, batches.schema(self.spec.width, planes))
                if rows:
                    yield batch

    def _ask(self, server: int, owner: int, request: bytes, deadline: Deadline) -> wire.Answer:
        return self._pool.read(
            self._model,
            deadline,
            lambda: self._connect(server, owner, deadline).ask(Api.SCAN, request, deadline),
        )

    def _order(self, keys: batches.Keys) -> npt.NDArray[Any]:
        return placement.hash_keys(keys, self.spec.key_bits) if self.spec.is_sparse else keys

    def _check(self, keys: batches.Keys) -> None:
        spec = self.spec
        if not spec.is_sparse:
            outside = (keys < 0) | (keys >= spec.size)
        elif spec.key_bits < 64:
            outside = keys.view(np.uint64) >> np.uint64(spec.key_bits) != 0
        else:
            return
        if outside.any():
            key = keys[np.argmax(outside)]
            message = f"key {key} is beyond the keys of table '{spec.name}'"
            raise PsError(ErrorCode.KEY_OUT_OF_RANGE, message)

    def _parts_of_range(self, start: int, end: int) -> dict[int, deque[_Part]]:
        """Requests of bounded answers; one for neighbouring partitions of an owner thread."""
        most = max(1, _RANGE_BYTES // (4 * self.spec.width))
        parts: dict[int, deque[_Part]] = {}
        key = start
        while key < end:
            partition = key // self._rows_per_partition
            stop = min(end, (partition + 1) * self._rows_per_partition, key + most)
            own = parts.setdefault(int(self._link_of[partition]), deque())
            part = _Part(_RANGE, key, stop, b"", stop - key, [slice(key - start, stop - start)])
            if own and own[-1].rows + part.rows <= most:
                before = own.pop()
                places = before.places + part.places
                rows = before.rows + part.rows
                part = _Part(_RANGE, before.first, stop, b"", rows, places)
            own.append(part)
            key = stop
        return parts

    def _exchange(
        self, parts: dict[int, deque[_Part]], rows: int, timeout: float | None
    ) -> batches.Values:
        """Pulls all parts; every owner thread works on one at a time."""
        deadline = self._pool.deadline(timeout)
        values = np.empty((rows, self.spec.width), dtype=np.float32)
        self._pool.read(self._model, deadline, lambda: self._pull(parts, values, deadline))
        return values

    def _pull(
        self, parts: Mapping[int, Iterable[_Part]], values: batches.Values, deadline: Deadline
    ) -> None:
        left = {link: deque(own) for link, own in parts.items()}
        connections = {link: self._connect(*self._links[link], deadline) for link in left}
        try:
            while left:
                for link, queue in left.items():
                    self._send(connections[link], self._links[link][0], queue[0], deadline)
                for link, queue in left.items():
                    self._receive(connections[link], queue.popleft(), values, deadline)
                left = {link: queue for link, queue in left.items() if queue}
        finally:
            for connection in connections.values():
                if connection.is_awaited:
                    connection.close()

    def _send(self, connection: Connection, server: int, part: _Part, deadline: Deadline) -> None:
        out = wire.Writer().pack("iiqqqqqd", self._hosts[server].session, 0, 0, 0, 0, 0, 0, 0.0)
        out.pack("ii", 0, 1)
        offset = wire.message_offset(_EXCHANGE_BYTES) if part.message else 0
        out.pack("ibbxxq", self._number(server), part.addressing, 0, _SIGNATURE)
        out.pack("qqdii", part.first, part.end, 0.0, part.rows, 0)
        out.pack("iiii", offset, len(part.message), 0, 0)
        connection.send(Api.EXCHANGE, out.finish(), part.message, deadline)

    def _receive(
        self, connection: Connection, part: _Part, values: batches.Values, deadline: Deadline
    ) -> None:
        answer = connection.receive(deadline)
        fields = answer.reader().unpack("iiqiiii")
        batch = answer.batch(fields[5], fields[6], part.rows, self._values)
        pulled = batches.vectors(batch.column(0))
        at = 0
        for places in part.places:
            count = places.stop - places.start if isinstance(places, slice) else len(places)
            values[places] = pulled[at : at + count]
            at += count

    def _connect(self, server: int, owner: int, deadline: Deadline) -> Connection:
        connection = self._pool.connection(server, owner, deadline)
        host = self._hosts[server]
        if connection.server != host.identity:
            message = f"server {host.address} has been restarted; open the model again"
            raise PsError(ErrorCode.UNKNOWN_SESSION, message)
        return connection

    def _number(self, server: int) -> int:
        """The table's number at a server."""
        return self._hosts[server].tables[self.spec.name][0]


def _part_of_keys(keys: batches.Keys, places: npt.NDArray[np.int64]) -> _Part:
    """A request for keys in the order of the wire."""
    batch = pa.RecordBatch.from_arrays([pa.array(keys)], [batches.KEY])
    return _Part(_KEYS, 0, 0, batch.serialize().to_pybytes(), len(keys), [places])


def _key(feature: Any, bits: int) -> int:
    match feature:
        case str():
            return feature_key(feature, bits=bits)
        case (column, value):
            return feature_key(column, value, bits=bits)
    raise ValueError(f"a feature must be a column, or a column and a value, not {shown(feature)}")


def _to_keys(keys: Any) -> batches.Keys:
    if isinstance(keys, pa.Array | pa.ChunkedArray):
        keys = keys.to_numpy() if isinstance(keys, pa.ChunkedArray) else keys.to_numpy(False)
    elif not isinstance(keys, np.ndarray | Sequence):
        if not isinstance(keys, Iterable):
            raise ValueError(f"keys must be whole numbers in one dimension, not {keys!r}")
        keys = list(keys)
    try:
        found = np.asarray(keys)
    except ValueError as e:
        raise ValueError(f"keys must be whole numbers in one dimension: {e}") from None
    if found.size == 0:
        return np.empty(0, dtype=np.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise ValueError(f"keys must be whole numbers in one dimension, not {found.dtype}")
    if found.dtype.kind == "u" and int(found.max()) >= 1 << 63:
        raise ValueError("keys must be int64")
    return np.ascontiguousarray(found, dtype=np.int64)


def _to_key(key: object, what: str) -> int:
    if isinstance(key, bool) or not isinstance(key, int | np.integer):
        raise ValueError(f"{what} must be a whole number, not {key!r}")
    return int(key)
