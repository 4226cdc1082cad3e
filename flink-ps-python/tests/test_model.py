"""Saved models, as the command line writes them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import pyarrow as pa
import pytest

from flink_ps import load_model


@pytest.fixture
def copy(deep: Path, tmp_path: Path) -> Path:
    """A model that may be damaged."""
    return Path(shutil.copytree(deep, tmp_path / "model"))


def first_file(folder: Path, rows: bool = True) -> Path:
    manifest = json.loads((folder / "manifest.json").read_text())
    files = [file for table in manifest["tables"] for file in table["files"]]
    path: str = next(file["path"] for file in files if (file["rows"] > 0) == rows)
    return folder / path


def test_says_what_it_is(deep: Path) -> None:
    model = load_model(str(deep))
    model.verify()
    assert model.algorithm == "deep-fm"
    assert model.parameters["optimizer"] == "adagrad"
    manifest = json.loads((deep / "manifest.json").read_text())
    assert model.name == manifest["model"]
    assert list(model.tables) == [table["name"] for table in manifest["tables"]]
    for stated, table in zip(manifest["tables"], model.tables.values(), strict=True):
        assert table.rows == sum(file["rows"] for file in stated["files"])
        assert (table.spec.size, table.spec.width) == (stated["size"], stated["width"])
        assert table.spec.is_sparse == (stated["size"] == -1)
        assert table.spec.update.name == "adagrad"
        assert table.slots == 1
    assert any(table.spec.is_sparse and table.spec.width > 1 for table in model.tables.values())
    assert any(not table.spec.is_sparse for table in model.tables.values())


def test_arrow_pandas_and_numpy_have_the_same_rows(deep: Path) -> None:
    for table in load_model(deep).tables.values():
        rows = table.to_arrow()
        width = table.spec.width
        vector = pa.list_(pa.float32(), width)
        assert rows.schema.types == [pa.int64(), vector, vector]
        assert rows.schema.names == ["key", "value", "slot_0"]
        keys, values = table.to_numpy()
        assert keys.tolist() == rows.column("key").to_pylist()
        assert values.dtype == np.float32
        assert values.tolist() == rows.column("value").to_pylist()
        assert table.keys().tolist() == keys.tolist()
        assert table.slot(0).tolist() == rows.column("slot_0").to_pylist()
        frame = table.to_pandas()
        assert frame.index.name == "key"
        assert frame.index.tolist() == keys.tolist()
        names = ["value"] if width == 1 else [f"value_{i}" for i in range(width)]
        assert frame[names].to_numpy().tolist() == values.tolist()
        assert len(frame.columns) == 2 * width
        if not table.spec.is_sparse:
            assert keys.tolist() == list(range(table.spec.size))


def test_names_what_is_not_there(deep: Path) -> None:
    model = load_model(deep)
    with pytest.raises(KeyError, match="no table 'none'; it has"):
        model.table("none")
    table = next(iter(model.tables.values()))
    with pytest.raises(IndexError, match="has 1 slots, and no slot 1"):
        table.slot(1)


def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is not a model: there is no manifest\.json"):
        load_model(tmp_path)
    with pytest.raises(ValueError, match="is not a model"):
        load_model(tmp_path / "nowhere")


@pytest.mark.parametrize("folder", [None, "", 5, b"model"])
def test_what_names_no_folder(folder: Any) -> None:
    with pytest.raises(ValueError, match="folder must be a text or a Path, and not empty, not "):
        load_model(folder)


def test_folders_are_named_by_uris_too(deep: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(deep, tmp_path / "a%20b #?"))
    for uri in (f"file://{folder}", f"file:{folder}"):
        assert load_model(uri).path == folder
    for uri in ("hdfs://host/model", "file://host/model", "s3:/model"):
        with pytest.raises(ValueError, match=f"{uri} is no folder of this machine"):
            load_model(uri)


def test_folders_where_files_are_to_be(copy: Path) -> None:
    file = first_file(copy)
    file.unlink()
    file.mkdir()
    with pytest.raises(ValueError, match=f"{file.name} is damaged: it is a folder"):
        load_model(copy).verify()
    shutil.rmtree(file.parent)
    file.parent.touch()
    with pytest.raises(ValueError, match="is to be in a folder, where there is a file"):
        load_model(copy).verify()
    (copy / "manifest.json").unlink()
    (copy / "manifest.json").mkdir()
    with pytest.raises(ValueError, match=r"manifest\.json is damaged: it is a folder"):
        load_model(copy)


def flip(data: bytes) -> bytes:
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.unlink(), "is damaged: it is missing"),
        (lambda file: file.write_bytes(file.read_bytes()[:-1]), "bytes instead of"),
        (lambda file: file.write_bytes(flip(file.read_bytes())), "its checksum differs"),
    ],
)
def test_damaged_files(copy: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(first_file(copy))
    model = load_model(copy)
    with pytest.raises(ValueError, match=message):
        model.verify()
    with pytest.raises(ValueError, match=message):
        [table.to_arrow() for table in model.tables.values()]


def test_an_empty_file_is_verified_too(copy: Path) -> None:
    file = first_file(copy, rows=False)
    file.write_bytes(flip(file.read_bytes()))
    with pytest.raises(ValueError, match=f"{file.name} is damaged: its checksum differs"):
        load_model(copy).verify()


def seal(root: dict[str, object]) -> str:
    """A manifest with the checksum it should have."""
    root.pop("checksum", None)
    text = json.dumps(root, separators=(",", ":"))
    crc = google_crc32c.value(text.encode())
    return text[:-1] + f',"checksum":"crc32c:{crc:08x}"}}'


def test_white_space_of_the_manifest_may_change_and_nothing_else(copy: Path) -> None:
    file = copy / "manifest.json"
    text = file.read_text()
    file.write_text(text.replace("\n", "\r\n").replace(" : ", ":\t"))
    load_model(copy).verify()
    file.write_text(text.replace('"seed" : 0', '"seed" : 1', 1))
    with pytest.raises(ValueError, match=r"manifest\.json is damaged: its checksum differs"):
        load_model(copy)
    file.write_text(text[: text.rindex(",")] + "}")
    with pytest.raises(ValueError, match="its checksum differs"):
        load_model(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "flink-ps-cut"}, "it is not the manifest of a model"),
        (
            {"formatVersion": 2},
            r"manifest\.json: format 2, written by a newer flink-ps; this one reads up to 1$",
        ),
        ({"tables": [{"name": "weights"}]}, "it is not complete: KeyError"),
    ],
)
def test_manifests_of_something_else(copy: Path, change: dict[str, object], message: str) -> None:
    file = copy / "manifest.json"
    file.write_text(seal(json.loads(file.read_text()) | change))
    with pytest.raises(ValueError, match=message):
        load_model(copy)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("width", -1), ("width", 0), ("width", "1"), ("width", True), ("width", 1.0)),
        *(("size", -2), ("keyBits", -1), ("partitions", 0), ("slots", -1), ("slots", None)),
    ],
)
def test_tables_of_numbers_that_none_has(copy: Path, name: str, value: object) -> None:
    file = copy / "manifest.json"
    root = json.loads(file.read_text())
    root["tables"][1][name] = value
    file.write_text(seal(root))
    table = root["tables"][1]["name"]
    with pytest.raises(ValueError, match=f"damaged: {name} of table '{table}' is {value!r}$"):
        load_model(copy)


def test_tables_that_lack_a_file_or_name_one_elsewhere(copy: Path) -> None:
    file = copy / "manifest.json"
    text = file.read_text()
    root = json.loads(text)
    root["tables"][0]["files"][0]["path"] = "../elsewhere"
    file.write_text(seal(root))
    with pytest.raises(ValueError, match=r"file '\.\./elsewhere' lies outside its folder"):
        load_model(copy)
    root = json.loads(text)
    del root["tables"][0]["files"][0]
    file.write_text(seal(root))
    with pytest.raises(ValueError, match="lacks a file of its partitions"):
        load_model(copy)


@pytest.mark.parametrize("text", ["", "{", "[]", '"text"', "\xff"])
def test_manifests_that_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"manifest\.json is damaged: it is not"):
        load_model(tmp_path)
