"""Reads and writes the batches of the golden files with pyarrow.

write DIR   writes NAME.pyarrow.arrows for every golden batch, as Arrow IPC streams
read FILE.. prints each stream's schema and columns, one per line, as JSON
"""
import json
import sys

import numpy as np
import pyarrow as pa

KEYS = [0, 1, -1, 2**63 - 1, -(2**63), 42, 7]
STEPS = [0, 1, -1, 2**31 - 1, -(2**31), 42, 7]


def values(count):
    return [(i - 5) * 0.25 for i in range(count)]


def vector(width, rows, scale):
    numbers = [v * scale for v in values(rows * width)]
    rows_of = [numbers[i * width:(i + 1) * width] for i in range(rows)]
    return pa.array(rows_of, type=pa.list_(pa.float32(), width))


def halves(width, rows, encoding):
    numbers = np.array(values(rows * width), dtype=np.float32)
    items = numbers.astype(np.float16) if encoding == "fp16" else upper_halves(numbers)
    return pa.FixedSizeListArray.from_arrays(pa.array(items), width)


def upper_halves(numbers):
    return (numbers.view(np.uint32) >> 16).astype(np.uint16)


def int8(width, rows):
    items = (np.arange(rows * width) - 5).astype(np.int8)
    return pa.FixedSizeListArray.from_arrays(pa.array(items), width)


def batches():
    rows = len(KEYS)
    keys = pa.array(KEYS, type=pa.int64())
    yield "keys", {"key": keys}
    for width in (1, 3):
        yield f"values-{width}", {"value": vector(width, rows, 1)}
        yield f"fp16-{width}", {"value": halves(width, rows, "fp16")}
        yield f"bf16-{width}", {"value": halves(width, rows, "bf16")}
        yield f"keys-and-values-{width}", {"key": keys, "value": vector(width, rows, 1)}
    yield "int8-16", {
        "value": int8(16, rows),
        "scale": pa.array(values(rows), type=pa.float32()),
    }
    yield "rows-3-2", {
        "key": keys,
        "value": vector(3, rows, 1),
        "slot_0": vector(3, rows, 2),
        "slot_1": vector(3, rows, 3),
    }
    yield "rows-3-1-steps", {
        "key": keys,
        "value": vector(3, rows, 1),
        "slot_0": vector(3, rows, 2),
        "step": pa.array(STEPS, type=pa.int32()),
    }
    yield "keys-and-values-3-empty", {"key": keys[:0], "value": vector(3, 0, 1)}
    yield "encoded-keys", {"keys": pa.array([bytes(range(100))], type=pa.binary())}


def write(folder):
    for name, columns in batches():
        batch = pa.record_batch(list(columns.values()), names=list(columns))
        with pa.OSFile(f"{folder}/{name}.pyarrow.arrows", "wb") as out:
            with pa.ipc.new_stream(out, batch.schema) as stream:
                stream.write_batch(batch)


def plain(value):
    return list(value) if isinstance(value, bytes) else value


def read(path):
    with pa.OSFile(path, "rb") as source:
        table = pa.ipc.open_stream(source).read_all()
    table.validate(full=True)
    print(json.dumps([[field.name, str(field.type)] for field in table.schema]))
    for column in table.columns:
        print(json.dumps([plain(value) for value in column.to_pylist()], default=float))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        for path in sys.argv[2:]:
            read(path)
