"""Keys of features: what a model of raw columns has in place of names and values."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from flink_ps.checks import must_be

MOST_BITS = 64
_LANE = (1 << MOST_BITS) - 1
_FIRST = 0x87C37B91114253D5
_SECOND = 0x4CF5AD432745937F
_BLOCK = 16


class AnyNumber:
    """Stands for a value that is a number, all of which have one key."""

    def __repr__(self) -> str:
        return "any number"


ANY_NUMBER = AnyNumber()


def feature_key(
    column: str, value: "str | AnyNumber | None" = ANY_NUMBER, *, bits: int = 64
) -> int:
    """The key of a feature whose column is hashed.

    It is the low bits of murmur3_128 (x64, seed 0; Appleby, SMHasher) of the column's name in
    UTF-8, a byte 0, and the value.

    Args:
        column: Its name.
        value: A category, as text; None for NULL and the empty text; without it that of numbers.
        bits: Of the keys, ``hash-bits`` of the model.

    Raises:
        ValueError: For arguments of other types, and bits that are not 1 to 64.
    """
    must_be(column, str, "the column")
    must_be(bits, int, "the bits")
    if not 1 <= bits <= MOST_BITS:
        raise ValueError(f"bits must be 1 to {MOST_BITS}, not {bits}")
    if value is None:
        text = ""
    elif isinstance(value, AnyNumber):
        text = "#"
    else:
        must_be(value, str, "the value of a category")
        text = value
    hashed = _murmur(column.encode() + b"\0" + text.encode()) & ((1 << bits) - 1)
    return hashed - (1 << MOST_BITS) if hashed >> (MOST_BITS - 1) else hashed


@dataclass(frozen=True)
class Space:
    """The features of a model and their keys.

    Attributes:
        kinds: Of its columns by name: whether they are numbers; None where that has no names.
        bits: Of hashed keys.
        dense: Whether the place of a column is its key.
        missing: Texts that stand for NULL.
    """

    kinds: Mapping[str, bool | None]
    bits: int
    dense: bool = False
    missing: frozenset[str] = frozenset()

    @staticmethod
    def of(recipe: str, parameters: Mapping[str, str]) -> "Space":
        """The features of a model.

        Args:
            recipe: How rows became the model's, as a model keeps it.
            parameters: Of the algorithm.

        Raises:
            ValueError: If rows had keys of their own.
        """
        known: dict[str, Any] = json.loads(recipe) if recipe else {}
        kind = known.get("format", "unknown")
        if kind == "csv":
            features = [each for each in known["features"] if len(each["columns"]) == 1]
            kinds = {each["columns"][0]: each.get("scale") is not None for each in features}
            return Space(kinds, known["hashBits"], missing=frozenset(known.get("missing", ())))
        if kind != "table":
            why = "whose keys are what they say themselves"
            raise ValueError(f"the model's rows are {kind}, {why}")
        options = known["options"]
        aside = (options.get("label"), options.get("weight"))
        categories = re.split(r"\s*;\s*", options.get("categorical", ""))
        typed = {
            each["name"]: _is_number(each["type"], each["name"] in categories)
            for each in known["columns"]
            if each["name"] not in aside
        }
        return Space(typed, int(options.get("hash-bits", MOST_BITS)), "features" in parameters)

    def key(self, column: str, value: "str | AnyNumber | None") -> int:
        """The key of a feature.

        Args:
            column: As of :func:`feature_key`.
            value: As of :func:`feature_key`.

        Raises:
            ValueError: If the model has no such feature.
        """
        if column not in self.kinds:
            raise ValueError(f"the model has no feature '{column}'; it has {sorted(self.kinds)}")
        if self.dense:
            return [*self.kinds].index(column)
        return feature_key(column, value, bits=self.bits)

    def names(self, rows: pd.DataFrame | None) -> Iterator[tuple[str, str | AnyNumber | None]]:
        """Columns and values that the model may have learned: numbers, NULL, categories of rows."""
        for column, is_number in self.kinds.items():
            if is_number is None:
                continue
            if is_number:
                yield column, ANY_NUMBER
            if not self.dense:
                yield column, None
            if rows is not None and not is_number and column in rows:
                texts = {_category(each) for each in rows[column].dropna().unique()}
                yield from ((column, text) for text in sorted(texts - self.missing - {""}))


def _is_number(kind: str, is_category: bool) -> bool | None:
    """Whether a column of a type has numbers; None for several values in one."""
    if kind.startswith(("ARRAY", "MAP")):
        return None
    return not is_category and not kind.startswith(("CHAR", "VARCHAR", "STRING", "BOOLEAN"))


def _category(value: object) -> str:
    """The text of a category, as the JVM writes it."""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():  # whole numbers beside NULL
        return str(int(value))
    return str(value)


def _murmur(data: bytes) -> int:
    """The first half of murmur3_128, as a number without a sign."""
    one = two = 0
    whole = len(data) // _BLOCK * _BLOCK
    for at in range(0, whole, _BLOCK):
        one ^= _scramble(int.from_bytes(data[at : at + 8], "little"), _FIRST, 31, _SECOND)
        one = (_rotate(one, 27) + two) * 5 + 0x52DCE729 & _LANE
        two ^= _scramble(int.from_bytes(data[at + 8 : at + _BLOCK], "little"), _SECOND, 33, _FIRST)
        two = (_rotate(two, 31) + one) * 5 + 0x38495AB5 & _LANE
    rest = data[whole:]
    two ^= _scramble(int.from_bytes(rest[8:], "little"), _SECOND, 33, _FIRST)
    one ^= _scramble(int.from_bytes(rest[:8], "little"), _FIRST, 31, _SECOND)
    one ^= len(data)
    two ^= len(data)
    one = one + two & _LANE
    two = two + one & _LANE
    return _finish(one) + _finish(two) & _LANE


def _scramble(lane: int, first: int, by: int, second: int) -> int:
    return _rotate(lane * first & _LANE, by) * second & _LANE


def _rotate(lane: int, by: int) -> int:
    return (lane << by | lane >> (MOST_BITS - by)) & _LANE


def _finish(lane: int) -> int:
    lane = (lane ^ lane >> 33) * 0xFF51AFD7ED558CCD & _LANE
    lane = (lane ^ lane >> 33) * 0xC4CEB9FE1A85EC53 & _LANE
    return lane ^ lane >> 33
