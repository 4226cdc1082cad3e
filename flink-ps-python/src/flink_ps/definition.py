"""Definitions of tables, as servers and saved models state them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from flink_ps import placement
from flink_ps.batches import Keys

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

    def partitions_of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """The partition of each key, which must be one that the table may have."""
        if not self.is_sparse:
            return np.asarray(keys // -(-self.size // self.partitions), dtype=np.int64)
        bits = self.partitions.bit_length() - 1
        hashes = placement.hash_keys(keys, self.key_bits)
        # Two steps, as a shift by all 64 bits is undefined.
        return np.asarray(hashes >> np.uint64(63 - bits) >> np.uint64(1), dtype=np.int64)

    def servers_of(self, count: int) -> list[int]:
        """Which of so many servers has each partition, in the order in which jobs name them."""
        return placement.primaries(count, self.partitions)
