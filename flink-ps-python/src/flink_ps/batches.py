"""Rows as Arrow has them, and their way to pandas and NumPy."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

Keys = npt.NDArray[np.int64]
Values = npt.NDArray[np.float32]

KEY = "key"
VALUE = "value"


def slot_name(slot: int) -> str:
    """The column of what an optimizer keeps beside the values."""
    return f"slot_{slot}"


def schema(width: int, slots: int = 0, *, keys: bool = True) -> pa.Schema:
    """The columns of rows: keys, values and slots, the latter lists of ``width`` float32."""
    vector = pa.list_(pa.float32(), width)
    names = [VALUE, *(slot_name(slot) for slot in range(slots))]
    first = [pa.field(KEY, pa.int64())] if keys else []
    return pa.schema(first + [pa.field(name, vector) for name in names])


def vectors(column: Any) -> Values:
    """The lists of a column as the rows of an array.

    Args:
        column: An array or chunked array of lists of one length.
    """
    width = column.type.list_size
    return np.asarray(
        column.combine_chunks().flatten()
        if isinstance(column, pa.ChunkedArray)
        else column.flatten(),
        dtype=np.float32,
    ).reshape(-1, width)


def to_batch(keys: Keys, values: Values) -> pa.RecordBatch:
    """The record batch of rows in an array, whose memory it shares."""
    width = values.shape[1]
    lists = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), width)
    return pa.RecordBatch.from_arrays([pa.array(keys), lists], schema=schema(width))


def to_pandas(rows: Any) -> pd.DataFrame:
    """A data frame with the keys as index and one column for each value of a row.

    A column of lists of one value keeps its name; of longer lists the columns are ``name_0``,
    ``name_1`` and so on.

    Args:
        rows: A table or record batch with a column of keys.
    """
    columns: dict[str, Values] = {}
    for name in rows.schema.names:
        if name == KEY:
            continue
        values = vectors(rows.column(name))
        for i in range(values.shape[1]):
            columns[name if values.shape[1] == 1 else f"{name}_{i}"] = values[:, i]
    index = pd.Index(rows.column(KEY).to_numpy(), name=KEY)
    return pd.DataFrame(columns, index=index)
