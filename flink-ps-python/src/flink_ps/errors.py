"""What a server answers instead of a result."""

from enum import Enum


class ErrorCode(Enum):
    """The errors of the wire; ids are permanent (docs/errors.md of the project)."""

    UNSUPPORTED_VERSION = (1, False)
    UNKNOWN_API = (2, False)
    MALFORMED = (3, False)
    TOO_LARGE = (4, False)
    UNKNOWN_MODEL = (5, False)
    UNKNOWN_TABLE = (6, False)
    CONFLICTING_DEFINITION = (7, False)
    INVALID_ARGUMENT = (8, False)
    KEY_OUT_OF_RANGE = (9, False)
    NOT_FINITE = (10, False)
    FENCED = (11, False)
    UNKNOWN_SESSION = (12, False)
    SEQUENCE_TOO_OLD = (13, False)
    UNKNOWN_KEYS = (14, True)
    NOT_READY = (15, True)
    NOT_OWNER = (16, True)
    THROTTLED = (17, True)
    DISCONNECTED = (18, True)
    TIMEOUT = (19, False)
    CLOSED = (20, False)
    TABLE_FULL = (21, False)
    INTERNAL = (22, False)
    CORRUPT = (23, False)
    IO = (24, False)
    CUT_PENDING = (25, True)
    CUT_FAILED = (26, False)
    UNAUTHENTICATED = (27, False)
    ROLLED_BACK = (28, False)
    FORBIDDEN = (29, False)

    @property
    def id(self) -> int:
        """The number on the wire."""
        return self.value[0]

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.value[1]

    @staticmethod
    def of_id(number: int) -> "ErrorCode":
        """The code of an id; INTERNAL for one that is not known here."""
        return next((code for code in ErrorCode if code.id == number), ErrorCode.INTERNAL)


class PsError(Exception):
    """A request failed, at a server or on the way to it.

    Attributes:
        code: What went wrong.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(f"{code.name}: {message}")
        self.code = code

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code.retriable
