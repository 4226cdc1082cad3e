"""What several tests share: a trained model."""

import random
from pathlib import Path

import pytest

import built


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
