"""The client against servers whose tables tests have filled."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tables
from flink_ps import Client, ErrorCode, PsError, RemoteModel, RemoteTable, feature_key
from flink_ps.batches import Keys, Values, vectors
from flink_ps.definition import Initializer
from flink_ps.wire import HEADER, Api, Connection, Deadline

SEED = 11
_names = itertools.count()


@dataclass(frozen=True)
class Filled:
    """Tables of all kinds and what they hold."""

    client: Client
    model: RemoteModel
    rows: dict[str, tables.Rows]


def keys_of(count: int, bits: int) -> Keys:
    chance = np.random.default_rng(SEED)
    if bits == 64:
        drawn = chance.integers(-(2**63), 2**63 - 1, count, dtype=np.int64)
    else:
        drawn = chance.integers(0, 2**bits, count, dtype=np.int64)
    return chance.permutation(np.unique(drawn))


@pytest.fixture(scope="module")
def filled(addresses: list[str]) -> Iterator[Filled]:
    """Small enough to be made in a moment, large enough for answers in chunks."""
    specs = [
        tables.spec("sparse", width=3, initializer=Initializer("uniform", -1, 1)),
        tables.spec("one-part", partitions=1),
        tables.spec("bits", key_bits=20, width=2, partitions=16),
        tables.spec("all-keys", key_bits=8, partitions=4),
        tables.spec("dense", size=700_001, width=4, partitions=7),
        tables.spec("small", size=3, width=5, partitions=2),
    ]
    keys = {
        "sparse": keys_of(50_000, 64),
        "one-part": keys_of(300_000, 64),
        "bits": keys_of(200_000, 20),
        "all-keys": np.arange(256, dtype=np.int64),
        "dense": np.arange(700_001, dtype=np.int64),
        "small": np.arange(3, dtype=np.int64),
    }
    with Client(",".join(addresses), timeout=tables.SECONDS) as client:
        tables.create(client, "filled", *specs)
        model = client.model("filled")
        rows = {name: tables.fill(model.table(name), keys[name]) for name in keys}
        yield Filled(client, model, rows)


def check(batch: pa.RecordBatch, table: RemoteTable, keys: Keys, values: Values) -> None:
    """That a batch has these rows, in this order, bit for bit."""
    vector = pa.list_(pa.float32(), table.spec.width)
    assert isinstance(batch, pa.RecordBatch)
    assert batch.schema == pa.schema([("key", pa.int64()), ("value", vector)])
    batch.validate(full=True)
    assert np.array_equal(batch.column("key").to_numpy(), keys)
    assert vectors(batch.column("value")).tobytes() == values.tobytes()


@pytest.mark.parametrize("name", ["sparse", "one-part", "bits", "all-keys", "dense", "small"])
def test_pulls_keys_in_any_order(filled: Filled, name: str) -> None:
    table, rows = filled.model.table(name), filled.rows[name]
    check(table.pull(rows.keys), table, rows.keys, rows.values)
    order = np.random.default_rng(SEED).integers(0, len(rows.keys), 1000)
    check(table.pull(rows.keys[order]), table, rows.keys[order], rows.values[order])
    check(table.pull([]), table, rows.keys[:0], rows.values[:0])


def test_pulls_features_by_their_names(filled: Filled) -> None:
    table = filled.model.table("all-keys")
    features: list[str | tuple[str, str | None]] = ["price", ("site", "news"), ("site", None)]
    keys = [
        feature_key("price", bits=8),
        feature_key("site", "news", bits=8),
        feature_key("site", None, bits=8),
    ]
    pulled = table.pull_features(features, bits=8)
    assert pulled.column("key").to_pylist() == keys
    assert pulled.equals(table.pull(keys))
    for wrong, why in (
        ([3], "a feature must be a column, or a column and a value, not 3"),
        ([("site", 3)], "the value of a category must be a str, not 3"),
        (3, "features must be a Sequence, not 3"),
    ):
        with pytest.raises(ValueError, match=why):
            table.pull_features(wrong)  # type: ignore[arg-type]


def test_lists_models_of_all_servers(filled: Filled, addresses: list[str]) -> None:
    made = [f"listed-{n:03d}" for n in range(300)]  # more than an answer names
    for name in made:
        tables.create(filled.client, name)
    with Client(addresses[:1], timeout=tables.SECONDS) as alone:
        tables.create(alone, "listed-alone")
        assert "listed-alone" in alone.models()
    listed = filled.client.models()
    assert listed == sorted(listed)
    assert [name for name in listed if name.startswith("listed-")] == made
    assert "filled" in listed


def test_takes_keys_as_they_come(filled: Filled) -> None:
    table, rows = filled.model.table("dense"), filled.rows["dense"]
    wanted = [5, 700_000, 5, 0]
    for keys in (
        wanted,
        tuple(wanted),
        iter(wanted),
        np.array(wanted, dtype=np.uint32),
        pa.array(wanted),
        pa.chunked_array([wanted[:1], wanted[1:]]),
    ):
        check(table.pull(keys), table, np.array(wanted), rows.values[wanted])


@pytest.mark.parametrize(
    "keys", [[0.5], ["a"], [[1, 2]], [[1], 2], [2**63], [True], pa.array([1, None]), 5, None, "1"]
)
def test_refuses_keys_that_are_none(filled: Filled, keys: object) -> None:
    with pytest.raises(ValueError, match="keys must be"):
        filled.model.table("dense").pull(keys)


@pytest.mark.parametrize(
    ("start", "end"), [(0, 700_001), (0, 0), (700_001, 700_001), (99_999, 100_003), (3, 600_000)]
)
def test_pulls_ranges(filled: Filled, start: int, end: int) -> None:
    table, rows = filled.model.table("dense"), filled.rows["dense"]
    check(table.pull_range(start, end), table, rows.keys[start:end], rows.values[start:end])


def test_pulls_a_range_over_partitions_without_rows(filled: Filled) -> None:
    table, rows = filled.model.table("small"), filled.rows["small"]
    for start, end in itertools.combinations_with_replacement(range(4), 2):
        check(table.pull_range(start, end), table, rows.keys[start:end], rows.values[start:end])


@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("name", ["sparse", "one-part", "bits", "all-keys", "dense", "small"])
def test_scans_all_rows(filled: Filled, name: str, slots: bool) -> None:
    table, rows = filled.model.table(name), filled.rows[name]
    read = pa.Table.from_batches(table.scan(slots=slots))
    assert read.schema.names == ["key", "value", "slot_0"][: 3 if slots else 2]
    order = np.argsort(read.column("key").to_numpy())
    own = np.argsort(rows.keys)
    assert np.array_equal(read.column("key").to_numpy()[order], rows.keys[own])
    assert vectors(read.column("value"))[order].tobytes() == rows.values[own].tobytes()
    if slots:
        assert vectors(read.column("slot_0"))[order].tobytes() == rows.slot[own].tobytes()


def test_a_key_that_was_never_trained_has_its_initial_value_and_is_not_created(
    filled: Filled,
) -> None:
    table = filled.model.table("sparse")
    strangers = np.setdiff1d(np.arange(100, dtype=np.int64), filled.rows["sparse"].keys)
    values = vectors(table.pull(strangers).column("value"))
    assert np.abs(values).max() <= 1
    assert len(np.unique(values)) > 100
    assert vectors(table.pull(strangers).column("value")).tobytes() == values.tobytes()
    stored = np.concatenate([batch.column("key").to_numpy() for batch in table.scan()])
    assert not np.isin(strangers, stored).any()


class WatchedConnection(Connection):
    """A connection that keeps the lengths of what it reads."""

    def __init__(
        self, address: str, owner: int, client: int, max_frame_bytes: int, deadline: Deadline
    ) -> None:
        self.frames: list[int] = []
        self.chunks: list[int] = []
        super().__init__(address, owner, client, max_frame_bytes, deadline)

    def _read_frame(self, deadline: Deadline) -> memoryview:
        frame = super()._read_frame(deadline)
        self.frames.append(len(frame))
        return frame

    def _read(self, into: memoryview, deadline: Deadline) -> memoryview:
        read = super()._read(into, deadline)
        if len(read) == HEADER.size and HEADER.unpack(read)[1] == Api.CHUNK.id:
            self.chunks.append(HEADER.unpack(read)[0])
        return read


def test_large_answers_come_in_chunks(filled: Filled, addresses: list[str]) -> None:
    table = filled.model.table("one-part")
    pool = filled.client._pool
    link = table._links[0]
    pool._connections.pop(link).close()
    watched = WatchedConnection(
        addresses[link[0]], link[1], pool._client, 1 << 28, Deadline(tables.SECONDS)
    )
    pool._connections[link] = watched
    assert sum(batch.num_rows for batch in table.scan()) == 300_000
    assert max(watched.frames) > 3 << 19
    assert len(watched.chunks) > 2
    assert max(watched.chunks) <= (1 << 20) + HEADER.size


def test_says_what_tables_are(filled: Filled) -> None:
    assert list(filled.model.tables) == sorted(filled.rows)
    table = filled.model.table("sparse").spec
    assert table == tables.spec("sparse", width=3, initializer=Initializer("uniform", -1, 1))
    with pytest.raises(KeyError, match="has no table 'none'; it has"):
        filled.model.table("none")


def test_keys_and_ranges_outside_of_a_table(filled: Filled) -> None:
    pulls: list[Callable[[], object]] = [
        lambda: filled.model.table("dense").pull([0, 700_001]),
        lambda: filled.model.table("dense").pull([-1]),
        lambda: filled.model.table("bits").pull([1 << 20]),
        lambda: filled.model.table("bits").pull([-1]),
        lambda: filled.model.table("dense").pull_range(0, 700_002),
        lambda: filled.model.table("dense").pull_range(-1, 2),
        lambda: filled.model.table("dense").pull_range(2, 1),
        lambda: filled.model.table("sparse").pull_range(0, 1),
    ]
    for pull in pulls:
        with pytest.raises(PsError, match="KEY_OUT_OF_RANGE") as error:
            pull()
        assert error.value.code is ErrorCode.KEY_OUT_OF_RANGE
        assert not error.value.retriable


def test_ends_and_flags_that_are_none_are_refused(filled: Filled) -> None:
    table: Any = filled.model.table("dense")
    check(table.pull_range(np.int64(1), 2), table, np.array([1]), filled.rows["dense"].values[1:2])
    for call, why in (
        (lambda: table.pull_range(0.0, 1), "start must be a whole number, not 0.0"),
        (lambda: table.pull_range(0, "1"), "end must be a whole number, not '1'"),
        (lambda: table.pull_range(False, 1), "start must be a whole number, not False"),
        (lambda: table.scan(slots="yes"), "slots must be a bool, not 'yes'"),
        (lambda: table.scan(timeout="soon"), "timeout must be above 0 seconds .* not 'soon'"),
        (lambda: table.pull([1], timeout=1e300), "timeout must be above 0 seconds .* not 1e"),
        (lambda: table.pull_range(0, 1, timeout=0), "timeout must be above 0 seconds"),
        (
            lambda: filled.client.model("filled", timeout=_any("1")),
            "timeout must be above 0 seconds",
        ),
        (lambda: filled.client.model(_any(5)), "the name of a model must be a str, not 5"),
    ):
        with pytest.raises(ValueError, match=why):
            call()


def _any(value: object) -> Any:
    """What a type checker would refuse."""
    return value


def test_a_model_that_is_not_there_is_not_made(filled: Filled) -> None:
    for _ in range(2):
        with pytest.raises(PsError, match="no model 'none'") as error:
            filled.client.model("none")
        assert error.value.code is ErrorCode.UNKNOWN_MODEL


def test_servers_in_another_order_than_the_jobs(filled: Filled, addresses: list[str]) -> None:
    for wrong in (addresses[::-1], addresses[:1]):
        with (
            Client(wrong) as client,
            pytest.raises(
                PsError, match="give the same list of servers in the same order"
            ) as error,
        ):
            client.model("filled")
        assert error.value.code is ErrorCode.CONFLICTING_DEFINITION


def test_a_table_and_a_model_that_were_dropped(addresses: list[str]) -> None:
    with Client(addresses) as client:
        tables.create(client, "dropped", tables.spec("one", size=10), tables.spec("two", size=10))
        model = client.model("dropped")
        assert model.table("two").pull([1]).num_rows == 1
        tables.drop(client, "dropped", "two")
        with pytest.raises(PsError, match="no table 2") as error:
            model.table("two").pull_range(0, 10)
        assert error.value.code is ErrorCode.UNKNOWN_TABLE
        assert list(client.model("dropped").tables) == ["one"]
        tables.drop(client, "dropped")
        tables.create(client, "dropped", tables.spec("other", size=10))
        for _ in range(2):
            with pytest.raises(PsError, match="UNKNOWN_SESSION"):
                model.table("one").pull([1])
        assert client.model("dropped").table("other").pull([1]).num_rows == 1


def test_opening_a_model_again_registers_no_more(filled: Filled) -> None:
    before = dict(filled.client._pool._sessions)
    for _ in range(3):
        assert filled.client.model("filled").table("small").pull([1]).num_rows == 1
    assert filled.client._pool._sessions == before


def test_an_answer_larger_than_allowed(filled: Filled, addresses: list[str]) -> None:
    with Client(addresses, max_frame_bytes=1 << 16) as client:
        table = client.model("filled").table("dense")
        assert table.pull_range(0, 100).num_rows == 100
        with pytest.raises(PsError, match="more than max_frame_bytes 65536") as error:
            table.pull_range(0, 700_001)
        assert error.value.code is ErrorCode.TOO_LARGE
        assert table.pull_range(0, 100).num_rows == 100


def test_a_closed_client(filled: Filled, addresses: list[str]) -> None:
    client = Client(addresses)
    table = client.model("filled").table("small")
    connections = list(client._pool._connections.values())
    client.close()
    client.close()
    assert not any(connection.is_open() for connection in connections)
    with pytest.raises(PsError, match="the client is closed") as error:
        table.pull([1])
    assert error.value.code is ErrorCode.CLOSED
