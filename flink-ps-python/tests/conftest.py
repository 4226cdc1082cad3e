"""What several tests share: a trained model and the servers that hold it."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

import built


@dataclass(frozen=True)
class Trained:
    """A model that a job has trained on servers and saved.

    Attributes:
        name: Of the model on the servers.
        servers: Their addresses, in order.
        folder: Where it was saved.
    """

    name: str
    servers: list[str]
    folder: Path


def write_rows(file: Path, rows: int = 2000, features: int = 3000) -> Path:
    """Libsvm rows that are the same each time."""
    chance = random.Random(7)
    with file.open("w") as out:
        for row in range(rows):
            indices = sorted(chance.sample(range(1, features), 8))
            entries = " ".join(f"{i}:{chance.uniform(-1, 1):.3f}" for i in indices)
            out.write(f"{row % 2} {entries}\n")
    return file


@pytest.fixture(scope="session")
def addresses() -> Iterator[list[str]]:
    """Two servers, of two and three owner threads."""
    with ExitStack() as stack:
        found = [stack.enter_context(built.server("--owners", n))[0] for n in ("2", "3")]
        yield found


def train(rows: Path, addresses: list[str], name: str, saved: Path) -> Trained:
    """Trains logistic regression on servers by a job that leaves it there, bit for bit the same."""
    built.run(
        "io.github.flinkps.examples.TrainOnFile",
        *("--input", str(rows), "--model", str(saved), "--epochs", "5", "--workers", "2"),
        *("--consistency", "bsp", "--seed", "1", "--batch-size", "100"),
        *("--remote", ",".join(addresses), "--model-name", name),
    )
    return Trained(name, addresses, saved)


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the job trains on."""
    return write_rows(tmp_path_factory.mktemp("rows") / "rows.libsvm")


@pytest.fixture(scope="session")
def trained(rows: Path, addresses: list[str], tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A model that a job has trained on the two servers."""
    return train(rows, addresses, "clicks", tmp_path_factory.mktemp("trained") / "model")


@pytest.fixture(scope="session")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model with wide rows, dense tables and slots."""
    folder = tmp_path_factory.mktemp("deep")
    rows = write_rows(folder / "rows.libsvm", rows=200, features=50)
    saved = folder / "model"
    built.run(
        "io.github.flinkps.cli.Main",
        *("train", "--quiet", "--algorithm", "deep-fm", "--fields", "8"),
        *("--input", str(rows), "--epochs", "1", "--model", str(saved), "--save-slots"),
    )
    return saved
