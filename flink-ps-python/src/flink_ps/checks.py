"""Values of options: whether they are of their type, and how SQL writes them."""

import re
import typing
from collections.abc import Mapping, Sequence
from datetime import timedelta
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from flink_ps.options import Duration, Names

_TO_BE_QUOTED = re.compile(
    r"""[;'"\[\n\r\x85\u2028\u2029]|^[\s\x00-\x20]|[\s\x00-\x20]$|^-(?:\s|$)|^$"""
)
"""What an item of a list of Flink's cannot have, as it separates, is dropped or begins YAML."""


def unknown(name: str, algorithm: str, known: list[str], what: str = "option") -> str:
    """What is said of an option, or of what is like one, that is none."""
    near = get_close_matches(name, known, 1)
    guess = f"; did you mean '{near[0]}'?" if near else ";"
    return f"there is no {what} '{name}' of {algorithm}{guess} There are {', '.join(known)}"


def must_be(value: object, kind: type, what: str) -> None:
    """Refuses a value that is not of a class.

    Raises:
        ValueError: Saying what it is, which class it must be of, and what was given.
    """
    if not isinstance(value, kind):
        raise ValueError(f"{what} must be a {kind.__name__}, not {shown(value)}")


def shown(value: object) -> str:
    """A value in a refusal: short ones as they are, of others the type."""
    if value is None or isinstance(value, str | bytes | bool | int | float):
        return repr(value)
    return f"a {type(value).__name__}"


def fits(value: object, kind: Any) -> bool:
    """Whether a value is of a type."""
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == Names:
        return _are_texts(value)
    if get_origin(kind) is Mapping:
        return isinstance(value, Mapping) and _are_texts([*value.keys(), *value.values()])
    return isinstance(value, get_args(kind) or kind)


def _are_texts(value: object) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and all(isinstance(item, str) for item in typing.cast(Sequence[object], value))


def people(kind: Any) -> str:
    """A type in words."""
    if kind == Names:
        return "a list of texts"
    if kind == Duration:
        return "a time such as '10 s', or a timedelta"
    words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    return words.get(kind, "texts by names")


def in_sql(value: object) -> str:
    """A value as SQL has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, timedelta):
        return f"{value // timedelta(milliseconds=1)} ms"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ";".join(map(_item, value))
    return str(value)


def _item(item: str) -> str:
    """An item of a list of Flink's."""
    return "'" + item.replace("'", "''") + "'" if _TO_BE_QUOTED.search(item) else item
