"""Tables that tests put on servers, row for row."""

from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from typing import cast

import numpy as np
import pyarrow as pa

from flink_ps import Client, RemoteTable, TableSpec
from flink_ps.batches import Keys, Values, schema, slot_name
from flink_ps.definition import Initializer, Update
from flink_ps.wire import Api, Connection, Deadline, Writer, message_offset

SECONDS = 30.0
_KINDS = ("zero", "constant", "uniform", "normal")
_LOAD_BYTES = 60


class WritingApi(Enum):
    """Requests that only tests make."""

    CREATE_TABLE = (3, 3)
    DROP_TABLE = (5, 2)
    DROP_MODEL = (7, 3)
    LOAD = (12, 3)

    @property
    def id(self) -> int:
        return self.value[0]

    @property
    def version(self) -> int:
        return self.value[1]


def spec(
    name: str,
    *,
    size: int = -1,
    key_bits: int = 64,
    width: int = 1,
    partitions: int = 8,
    initializer: Initializer = Initializer("zero", 0, 0),  # noqa: B008 - immutable
    update: str = "adagrad",
) -> TableSpec:
    return TableSpec(name, size, key_bits, width, partitions, initializer, Update(update), 5)


@dataclass(frozen=True)
class Rows:
    """What a table was filled with, one row for each key."""

    keys: Keys
    values: Values
    slot: Values


def opening(model: str, server: int, servers: int) -> bytes:
    """The request that makes a model where there is none."""
    out = Writer().string(model).string("test").pack("qii", 0, -1, 1)
    return out.pack("ii", 2, 0).string("").pack("ii", server, servers).finish()


def create(client: Client, model: str, *specs: TableSpec) -> None:
    """Makes tables at all servers, and the model where there is none."""
    for server, address in enumerate(client._pool.servers):
        deadline = Deadline(SECONDS)
        pool = client._pool
        with closing(Connection(address, -1, 1, 1 << 20, deadline, pool._security)) as connection:
            connection.ask(Api.OPEN_MODEL, opening(model, server, len(pool.servers)), deadline)
            for table in specs:
                _create(connection, model, table, deadline)


def _create(connection: Connection, model: str, table: TableSpec, deadline: Deadline) -> None:
    out = Writer().string(model).string(table.name)
    out.pack("qiii", table.size, table.key_bits, table.width, table.partitions)
    first = table.initializer
    out.pack("qiff", table.seed, _KINDS.index(first.kind), first.a, first.b)
    out.string(table.update.name).pack("i", 0).pack("q", 0)
    connection.ask(cast(Api, WritingApi.CREATE_TABLE), out.finish(), deadline)


def drop(client: Client, model: str, table: str = "") -> None:
    """Removes a table, or without a name the model, from all servers."""
    for address in client._pool.servers:
        deadline = Deadline(SECONDS)
        connection = Connection(address, -1, 1, 1 << 20, deadline)
        out = Writer().string(model)
        if table:
            out.string(table).pack("q", 0)
            connection.ask(cast(Api, WritingApi.DROP_TABLE), out.finish(), deadline)
        else:
            out.pack("q", 0).string("")
            connection.ask(cast(Api, WritingApi.DROP_MODEL), out.finish(), deadline)
        connection.close()


def fill(table: RemoteTable, keys: Keys, seed: int = 1) -> Rows:
    """Stores rows of random values, with a slot beside them."""
    chance = np.random.default_rng(seed)
    shape = (len(keys), table.spec.width)
    rows = Rows(
        keys,
        chance.standard_normal(shape, dtype=np.float32),
        chance.standard_normal(shape, dtype=np.float32),
    )
    partitions = table.spec.partitions_of(keys)
    for partition in np.unique(partitions):
        places = np.flatnonzero(partitions == partition)
        for start in range(0, len(places), 100_000):
            _load(table, int(partition), _take(rows, places[start : start + 100_000]))
    return rows


def _take(rows: Rows, places: Keys) -> Rows:
    return Rows(rows.keys[places], rows.values[places], rows.slot[places])


def _load(table: RemoteTable, partition: int, rows: Rows) -> None:
    width = table.spec.width
    columns = [
        pa.array(rows.keys),
        pa.FixedSizeListArray.from_arrays(pa.array(rows.values.reshape(-1)), width),
        pa.FixedSizeListArray.from_arrays(pa.array(rows.slot.reshape(-1)), width),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=schema(width, 1))
    assert batch.schema.names == ["key", "value", slot_name(0)]
    message = batch.serialize().to_pybytes()
    server, owner = table._links[table._link_of[partition]]
    out = Writer().pack("iii", table._hosts[server].session, table._number(server), partition)
    out.pack("iiqqqq", len(rows.keys), 1, -1, 1, 1, 0)
    out.pack("ii", message_offset(_LOAD_BYTES), len(message))
    deadline = Deadline(SECONDS)
    connection = table._connect(server, owner, deadline)
    connection.send(cast(Api, WritingApi.LOAD), out.finish(), message, deadline)
    connection.receive(deadline)
