"""Definitions of tables, as servers and saved models state them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SPARSE = -1
"""The size of a sparse table."""


@dataclass(frozen=True)
class Initializer:
    """How values of a row that training has not touched are found.

    Attributes:
        kind: ``zero``, ``constant``, ``uniform`` or ``normal``.
        a: The value, lower bound or mean.
        b: The upper bound or standard deviation.
    """

    kind: str
    a: float
    b: float


@dataclass(frozen=True)
class Update:
    """The function by which servers apply updates to a table.

    Attributes:
        name: Such as ``adagrad``.
        options: Numbers by hyphenated name, such as ``learning-rate``.
    """

    name: str
    options: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TableSpec:
    """A table of rows of ``width`` float32 values, each under an int64 key.

    Attributes:
        name: Unique in its model.
        size: Rows of a dense table, whose keys are 0 to ``size - 1``; -1 for a sparse one.
        key_bits: Of a sparse table: log2 of its key space, 64 for any key.
        width: Values of a row.
        partitions: Units of placement.
        initializer: Of untouched rows.
        update: How it is trained.
        seed: Of the initializer.
    """

    name: str
    size: int
    key_bits: int
    width: int
    partitions: int
    initializer: Initializer
    update: Update
    seed: int

    @property
    def is_sparse(self) -> bool:
        """Whether its rows may have any key."""
        return self.size == SPARSE
