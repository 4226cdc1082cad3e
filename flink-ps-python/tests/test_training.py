"""The client against servers that hold what a job has trained, or is training."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from conftest import Trained, train
from flink_ps import Client, ErrorCode, PsError, load_model
from flink_ps.batches import vectors


def test_pulled_values_are_those_of_the_saved_model(trained: Trained) -> None:
    saved = load_model(trained.folder)
    with Client(trained.servers) as client:
        model = client.model(trained.name)
        assert set(model.tables) == set(saved.tables) == {"weights", "bias"}
        for table in saved.tables.values():
            keys, values = table.to_numpy()
            remote = model.table(table.name)
            assert remote.spec == table.spec
            batch = remote.pull(keys)
            assert batch.column("key").to_numpy().tobytes() == keys.tobytes()
            assert vectors(batch.column("value")).tobytes() == values.tobytes()
            assert sum(scanned.num_rows for scanned in remote.scan()) == len(keys)
        assert model.table("bias").pull_range(0, 1).to_pydict() == {
            "key": [0],
            "value": saved.table("bias").to_arrow().column("value").to_pylist(),
        }
        assert len(saved.table("weights").keys()) > 2900


def read_until_done(servers: list[str], name: str, done: "Future[Trained]") -> int:
    """How often the model could be read while the job was running."""
    reads = 0
    with Client(servers) as client:
        while not done.done():
            try:
                weights = client.model(name).table("weights")
                reads += weights.pull(range(3000)).num_rows == 3000
                reads += sum(batch.num_rows for batch in weights.scan(slots=True)) > 0
            except KeyError:
                pass  # the job has not made its tables yet
            except PsError as e:
                if e.code is not ErrorCode.UNKNOWN_MODEL:
                    raise
    return reads


def test_reading_does_not_disturb_training(trained: Trained, rows: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(train, rows, trained.servers, "read", tmp_path / "model")
        reads = read_until_done(trained.servers, "read", done)
        again = done.result()
    assert reads > 0
    before, after = load_model(trained.folder), load_model(again.folder)
    for table in before.tables.values():
        other = after.table(table.name)
        assert table.to_arrow().sort_by("key").equals(other.to_arrow().sort_by("key"))
