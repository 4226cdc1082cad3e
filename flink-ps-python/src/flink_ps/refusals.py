"""What Flink refuses, as Python says it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

_CAUSE = re.compile(r"^(?:Caused by: )?([a-z][\w.$]*\.\w+): (.*)$", re.MULTILINE)
_TABLE = "org.apache.flink.table"
_VALIDATION = f"{_TABLE}.api.ValidationException"
_SYNTAX = f"{_TABLE}.api.SqlParserException"
_UNSUPPORTED = f"{_TABLE}.api.TableException"
_OF_CATALOGS = f"{_TABLE}.catalog.exceptions."
_OURS = "io.github.flinkps."
_OF_FILES = "java.nio.file."


@contextmanager
def refusals(*further: str) -> Iterator[None]:
    """Turns what Flink or a catalog refuses when a statement is made into a ValueError.

    Also a decorator. The Java exception is the error's ``__context__``, which is not printed.

    Args:
        further: How the names of other classes of exceptions begin that are refusals here.

    Raises:
        ValueError: With the reason of a refusal; other Java exceptions stay what they are.
    """
    from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - optional
    from pyflink.util.exceptions import JavaException  # noqa: PLC0415

    try:
        yield
    except (Py4JJavaError, JavaException) as e:
        why = _reason([*causes(e)], further)
        if why is None:
            raise
        raise ValueError(why) from None


def _reason(found: list[tuple[str, str]], further: tuple[str, ...]) -> str | None:
    """Why a statement is refused; None where it failed otherwise."""
    for kind, message in reversed(found):
        if kind.startswith(_OF_CATALOGS) or kind == _SYNTAX:
            return message
    # a planner's own, and not around the failure of a job
    if found[-1][0] == _UNSUPPORTED or any(kind == _VALIDATION for kind, _ in found):
        return _deepest(found)
    if further:
        return next(
            (message for kind, message in reversed(found) if kind.startswith(further)), None
        )
    return None


def _deepest(found: list[tuple[str, str]]) -> str:
    """What the deepest cause says, but a file's name alone, and what is wrong before how it is."""
    saying = [each for each in found if not each[0].startswith(_OF_FILES)] or found
    kind, message = saying[-1]
    outer_kind, outer = saying[-2] if len(saying) > 1 else saying[-1]
    says_more = outer_kind == _VALIDATION and outer.endswith(message)
    return outer if says_more and kind.startswith(_OURS) else message


def causes(error: Exception) -> Iterator[tuple[str, str]]:
    """Types and messages of a Java exception and its causes."""
    cause = getattr(error, "java_exception", None)
    if cause is None:  # PyFlink keeps the text alone
        yield from _CAUSE.findall(str(error))
    while cause is not None:
        yield cause.getClass().getName(), cause.getMessage() or ""
        cause = cause.getCause()
