"""Saved models: a folder with ``manifest.json`` and an Arrow file for each table and partition."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import google_crc32c
import numpy as np
import pandas as pd
import pyarrow as pa

from flink_ps import batches
from flink_ps.checks import fits, must_be
from flink_ps.definition import SPARSE, Initializer, TableSpec, Update
from flink_ps.features import ANY_NUMBER, AnyNumber, Space
from flink_ps.paths import local_folder

FORMAT_VERSION = 1
"""The newest version of the format that is read."""

_FORMAT = "flink-ps-model"
_MANIFEST = "manifest.json"
_CHUNK_BYTES = 1 << 20
_STRING_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
_SEAL = re.compile(r',"checksum":"(crc32c:[0-9a-f]{8})"}$')
_LEAST = {"size": SPARSE, "keyBits": 0, "width": 1, "partitions": 1, "slots": 0}
"""The least that numbers of a table may be."""


@dataclass(frozen=True)
class _File:
    path: str
    rows: int
    bytes: int
    checksum: str


class ModelTable:
    """A table of a saved model; read from its files, and checked, whenever it is asked for."""

    def __init__(self, folder: Path, spec: TableSpec, slots: int, files: list[_File]) -> None:
        self._folder = folder
        self._files = files
        self.spec = spec
        self.slots = slots

    @property
    def name(self) -> str:
        """Unique in the model."""
        return self.spec.name

    @property
    def rows(self) -> int:
        """Rows in its files."""
        return sum(file.rows for file in self._files)

    def verify(self) -> None:
        """Compares length and checksum of each file with the manifest.

        Raises:
            ValueError: If one is damaged or missing.
        """
        for file in self._files:
            self._verify(file)

    def to_arrow(self) -> pa.Table:
        """The rows: ``key``, ``value`` and where they were saved ``slot_0`` and so on.

        Rows stand in the order of the files: ascending for dense tables.

        Raises:
            ValueError: If a file is damaged or missing.
        """
        found = [batch for file in self._files for batch in self._read(file)]
        return pa.Table.from_batches(found, batches.schema(self.spec.width, self.slots))

    def to_pandas(self) -> pd.DataFrame:
        """The rows with the keys as index; ``value``, or ``value_0``, ``value_1`` and so on."""
        return batches.to_pandas(self.to_arrow())

    def to_numpy(self) -> tuple[batches.Keys, batches.Values]:
        """Keys, and values with one row for each of them."""
        rows = self.to_arrow()
        return self._keys(rows), batches.vectors(rows.column(batches.VALUE))

    def keys(self) -> batches.Keys:
        """The key of each row."""
        return self._keys(self.to_arrow())

    def slot(self, index: int) -> batches.Values:
        """What the optimizer keeps beside the values, one row for each of :meth:`keys`.

        Raises:
            IndexError: If the model was saved without, or there are not so many.
        """
        if not 0 <= index < self.slots:
            raise IndexError(f"table '{self.name}' has {self.slots} slots, and no slot {index}")
        return batches.vectors(self.to_arrow().column(batches.slot_name(index)))

    @staticmethod
    def _keys(rows: pa.Table) -> batches.Keys:
        return np.asarray(rows.column(batches.KEY).to_numpy(), dtype=np.int64)

    def _verify(self, file: _File) -> Path:
        path = self._folder / file.path
        crc = 0
        count = 0
        try:
            with path.open("rb") as source:
                while chunk := source.read(_CHUNK_BYTES):
                    crc = google_crc32c.extend(crc, chunk)
                    count += len(chunk)
        except FileNotFoundError as e:
            raise _damaged(path, "it is missing") from e
        except IsADirectoryError as e:
            raise _damaged(path, "it is a folder") from e
        except NotADirectoryError as e:
            raise _damaged(path, "it is to be in a folder, where there is a file") from e
        if count != file.bytes:
            raise _damaged(path, f"it has {count} bytes instead of {file.bytes}")
        if _checksum(crc) != file.checksum:
            raise _damaged(path, "its checksum differs: it has been altered")
        return path

    def _read(self, file: _File) -> Iterator[pa.RecordBatch]:
        path = self._verify(file)
        if file.rows == 0:
            return  # may have been written before the number of slots was known
        wanted = batches.schema(self.spec.width, self.slots)
        try:
            with pa.OSFile(str(path), "rb") as source:
                table = pa.ipc.open_file(source).read_all()
            if table.schema.names != wanted.names or table.num_rows != file.rows:
                raise _damaged(path, f"{table.num_rows} rows of {table.schema.names}")
            yield from table.cast(wanted).to_batches()
        except pa.ArrowException as e:
            raise _damaged(path, str(e)) from e

    def __repr__(self) -> str:
        return f"ModelTable({self.spec!r}, rows={self.rows}, slots={self.slots})"


@dataclass(frozen=True)
class Model:
    """A saved model.

    Attributes:
        path: Its folder.
        name: Of the model.
        algorithm: Which trained it.
        parameters: Of the algorithm.
        input: How rows became the model's, as the command line wrote it; may be empty.
        facts: About the training.
        tables: By name, in the order of the model.
    """

    path: Path
    name: str
    algorithm: str
    parameters: Mapping[str, str]
    input: str
    facts: Mapping[str, str]
    tables: Mapping[str, ModelTable]

    def table(self, name: str) -> ModelTable:
        """The table of that name.

        Raises:
            KeyError: If there is none.
        """
        if name not in self.tables:
            raise KeyError(f"model '{self.name}' has no table '{name}'; it has {list(self.tables)}")
        return self.tables[name]

    def key(self, column: str, value: str | AnyNumber | None = ANY_NUMBER) -> int:
        """The key of a feature, where rows were of raw columns, which are hashed.

        Args:
            column: Its name.
            value: A category, as text; None for NULL; without it that of the column's numbers.

        Raises:
            ValueError: If the model has no such feature, or rows had keys of their own.
        """
        return Space.of(self.input, self.parameters).key(column, value)

    def weights(self, rows: pd.DataFrame | None = None, table: str = "weights") -> pd.DataFrame:
        """What the model has learned of features, by their names.

        Keys are hashes, of which no name can be made. So numbers and NULL are found by the model's
        columns, and categories by those of rows that are shown.

        Args:
            rows: Of which the categories are looked up; other columns are not looked at.
            table: Where the features have their rows.

        Returns:
            ``column``, ``value`` (None for NULL, ``any number``, or a category) and the values as
            of :meth:`ModelTable.to_pandas`, for each feature that was trained.

        Raises:
            KeyError: If there is no such table.
            ValueError: If rows had keys of their own.
        """
        if rows is not None:
            must_be(rows, pd.DataFrame, "rows")
        learned = self.table(table).to_pandas()
        space = Space.of(self.input, self.parameters)
        found = [(space.key(*name), *name) for name in space.names(rows)]
        there = [each for each in found if each[0] in learned.index]
        values = learned.loc[[key for key, *_ in there]].reset_index(drop=True)
        names = pd.DataFrame(
            {
                "column": [column for _, column, _ in there],
                "value": [str(v) if isinstance(v, AnyNumber) else v for *_, v in there],
            },
            dtype=object,
        )
        spelled = values.rename(columns={"value": "weight"})
        return pd.concat([names, spelled], axis=1)

    def verify(self) -> None:
        """Checks every file.

        Raises:
            ValueError: If one is damaged or missing.
        """
        for table in self.tables.values():
            table.verify()


def load_model(folder: str | Path) -> Model:
    """Opens the model in a folder, whose manifest is checked now and files when they are read.

    Args:
        folder: Its path, or a text with its ``file:`` URI, of which nothing is decoded.

    Raises:
        ValueError: If there is no model, its manifest is damaged, or of a newer format, and for
            what names no folder of this machine.
    """
    if not isinstance(folder, str | Path) or not str(folder):
        raise ValueError(f"folder must be a text or a Path, and not empty, not {folder!r}")
    path = folder if isinstance(folder, Path) else local_folder(folder)
    file = path / _MANIFEST
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as e:
        raise ValueError(f"{path} is not a model: there is no {_MANIFEST}") from e
    except IsADirectoryError as e:
        raise _damaged(file, "it is a folder") from e
    except UnicodeDecodeError as e:
        raise _damaged(file, "it is not UTF-8") from e
    try:
        return _parse(path, file, text)
    except json.JSONDecodeError as e:
        raise _damaged(file, f"it is not JSON: {e}") from e
    except (KeyError, TypeError, AttributeError) as e:
        raise _damaged(file, f"it is not complete: {e!r}") from e


def _parse(path: Path, file: Path, text: str) -> Model:
    root = json.loads(text)
    if not isinstance(root, dict) or root.get("format") != _FORMAT:
        raise _damaged(file, "it is not the manifest of a model")
    version = root["formatVersion"]
    if version > FORMAT_VERSION:
        raise ValueError(
            f"{file}: format {version}, written by a newer flink-ps;"
            f" this one reads up to {FORMAT_VERSION}"
        )
    if not _is_sealed(text):
        raise _damaged(file, "its checksum differs: it has been altered")
    tables = [_table(path, file, node) for node in root["tables"]]
    return Model(
        path=path,
        name=root["model"],
        algorithm=root["algorithm"],
        parameters=root["parameters"],
        input=root.get("input", ""),
        facts=root["facts"],
        tables={table.name: table for table in tables},
    )


def _is_sealed(text: str) -> bool:
    """Whether the last field is the checksum of the compact text without that field."""
    compact = _STRING_OR_SPACE.sub(lambda found: found[1] or "", text)
    seal = _SEAL.search(compact)
    if seal is None:
        return False
    body = compact[: seal.start()] + "}"
    return _checksum(google_crc32c.value(body.encode())) == seal[1]


def _table(folder: Path, manifest: Path, node: dict[str, Any]) -> ModelTable:
    for name, least in _LEAST.items():
        if not fits(node[name], int) or node[name] < least:
            why = f"{name} of table '{node['name']}' is {node[name]!r}"
            raise _damaged(manifest, why)
    spec = TableSpec(
        name=node["name"],
        size=node["size"],
        key_bits=node["keyBits"],
        width=node["width"],
        partitions=node["partitions"],
        initializer=Initializer(**node["initializer"]),
        update=Update(**node["update"]),
        seed=node["seed"],
    )
    files = [
        _File(entry["path"], entry["rows"], entry["bytes"], entry["checksum"])
        for entry in node["files"]
    ]
    if [entry["partition"] for entry in node["files"]] != list(range(spec.partitions)):
        raise _damaged(manifest, f"table '{spec.name}' lacks a file of its partitions")
    for file in files:
        place = PurePosixPath(file.path)
        if place.is_absolute() or ".." in place.parts:
            raise _damaged(manifest, f"file '{file.path}' lies outside its folder")
    return ModelTable(folder, spec, node["slots"], files)


def _checksum(crc: int) -> str:
    return f"crc32c:{crc:08x}"


def _damaged(file: Path, why: str) -> ValueError:
    return ValueError(f"{file} is damaged: {why}")
