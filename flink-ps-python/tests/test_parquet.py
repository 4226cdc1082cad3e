"""Tables of Parquet, as pyarrow writes them, are read by the command line like CSV."""

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import built

MAIN = "io.github.flinkps.cli.Main"


def table() -> pa.Table:
    random = np.random.default_rng(7)
    n = random.normal(size=600).round(3)
    site = random.choice(["news", "shop, new", 'the "best"'], 600)
    label = (n + (site == "news") > 0.5).astype(np.int64)
    return pa.table(
        {
            "y": label,
            "n": pa.array(n, mask=random.random(600) < 0.1),
            "site": pa.array(site).dictionary_encode(),
        }
    )


def train(rows: Path, folder: Path) -> list[list[str]]:
    """The scores of a model that is trained on the rows, and predicts them."""
    columns = ["--label", "y", "--numeric", "n", "--missing", "", "--categorical", "site"]
    model = folder / f"model-{rows.name}"
    scores = folder / f"scores-{rows.name}.csv"
    built.run(
        MAIN,
        "train",
        "--quiet",
        "--format",
        "csv",
        "--input",
        str(rows),
        "--model",
        str(model),
        "--workers",  # several share rows by their place in the file
        "1",
        *columns,
    )
    built.run(
        MAIN,
        "predict",
        "--quiet",
        "--model",
        str(model),
        "--input",
        str(rows),
        "--output",
        str(scores),
    )
    with scores.open() as lines:
        return list(csv.reader(lines))


def test_each_codec_gives_the_rows_of_csv(tmp_path: Path) -> None:
    rows = table()
    text = tmp_path / "rows.csv"
    pyarrow.csv.write_csv(rows, text)
    expected = train(text, tmp_path)
    assert len(expected) == 601
    for codec in ("none", "snappy", "gzip", "zstd", "lz4"):
        packed = tmp_path / f"{codec}.parquet"
        pyarrow.parquet.write_table(rows, packed, compression=codec, row_group_size=250)
        assert train(packed, tmp_path) == expected, codec


def test_a_codec_that_is_not_read_is_named(tmp_path: Path) -> None:
    packed = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(table(), packed, compression="brotli")
    with pytest.raises(Exception, match="pages are of BROTLI; snappy, gzip, zstd and lz4_raw"):
        train(packed, tmp_path)
