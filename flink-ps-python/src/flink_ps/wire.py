"""Frames of the wire, and one connection to one thread of a server.

The layouts are those of the Java package ``io.github.flinkps.protocol``: little endian; a header of
32 bytes, a control part of a fixed layout, and Arrow IPC messages at multiples of 64, which pyarrow
reads where they are.
"""

import socket
import ssl
import struct
import time
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pyarrow as pa

from flink_ps import addresses
from flink_ps.checks import fits
from flink_ps.errors import ErrorCode, PsError
from flink_ps.security import IN_CLEAR, Security, refused

PEER_TIMEOUT = 10.0
_HTTP = b"HTTP/"
"""Seconds after which a server is given up that says nothing, though it is asked."""
HEADER = struct.Struct("<ihbbqiiii")
"""Length, api, version, flags, correlation, milliseconds, control length, error code, zero.

A chunk has its offset and the length of the whole frame in place of the two behind the correlation.
"""
CONTROL = -1
"""Owner of a control connection."""

_MAGIC = 0x31535046
_PROTOCOL_VERSION = 2
_FLAG_RESPONSE = 1
_TOKEN = 1
_MOST_MILLIS = (1 << 31) - 1
_MOST_SECONDS = _MOST_MILLIS // 1000
_PING = -1
_LONGEST_SILENCE = 3600


class Api(Enum):
    """Requests, each with its id and the version that is spoken here (docs/apis.md)."""

    HELLO = (0, 1)
    CHUNK = (1, 1)
    OPEN_MODEL = (2, 2)
    DESCRIBE_TABLE = (4, 2)
    LIST_TABLES = (6, 1)
    EXCHANGE = (9, 4)
    SCAN = (11, 3)
    PING = (14, 1)
    LIST_MODELS = (20, 1)

    @property
    def id(self) -> int:
        """The number on the wire."""
        return self.value[0]

    @property
    def version(self) -> int:
        """Of the layout."""
        return self.value[1]


class Deadline:
    """The moment at which a call gives up."""

    def __init__(self, timeout: float) -> None:
        if not fits(timeout, float) or not 0 < timeout <= _MOST_SECONDS:
            raise ValueError(
                f"timeout must be above 0 seconds and at most {_MOST_SECONDS}, not {timeout!r}"
            )
        self._timeout = timeout
        self._at = time.monotonic() + timeout

    def left(self, address: str) -> float:
        """Seconds that are left, more than 0.

        Raises:
            PsError: TIMEOUT, naming the server, if there are none.
        """
        left = self._at - time.monotonic()
        if left <= 0:
            raise self.passed(address)
        return left

    def allows(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self._at - time.monotonic() > seconds

    def passed(self, address: str) -> PsError:
        """What a call fails with then."""
        message = f"server {address} did not answer within {self._timeout:g} s"
        return PsError(ErrorCode.TIMEOUT, message)


class Writer:
    """Writes a control part."""

    def __init__(self) -> None:
        self._data = bytearray()

    def pack(self, layout: str, *values: float) -> "Writer":
        """Appends numbers, by the letters of :mod:`struct`."""
        self._data += struct.pack("<" + layout, *values)
        return self

    def string(self, text: str) -> "Writer":
        """Appends a text behind its length."""
        return self.blob(text.encode())

    def blob(self, value: bytes) -> "Writer":
        """Appends bytes behind their number."""
        self.pack("i", len(value))
        self._data += value
        return self

    def finish(self) -> bytes:
        """The control part."""
        return bytes(self._data)


class Reader:
    """Reads a control part; what does not fit is MALFORMED."""

    def __init__(self, control: memoryview) -> None:
        self._control = control
        self._at = 0

    def unpack(self, layout: str) -> tuple[Any, ...]:
        """The next numbers, by the letters of :mod:`struct`."""
        size = struct.calcsize("<" + layout)
        return struct.unpack("<" + layout, self._take(size))

    def string(self) -> str:
        """The next text."""
        (length,) = self.unpack("i")
        return str(self._take(length), "utf-8", "replace")

    def _take(self, size: int) -> memoryview:
        if not 0 <= size <= len(self._control) - self._at:
            raise malformed(f"{size} bytes wanted, {len(self._control) - self._at} left")
        self._at += size
        return self._control[self._at - size : self._at]


def malformed(what: str) -> PsError:
    """The error of an answer that cannot be read."""
    return PsError(ErrorCode.MALFORMED, f"malformed answer: {what}")


@dataclass(frozen=True)
class Answer:
    """A frame that was received.

    Attributes:
        frame: All its bytes.
        control: Bytes of its control part.
    """

    frame: memoryview
    control: int

    def reader(self) -> Reader:
        """Reads the control part."""
        return Reader(self.frame[HEADER.size : HEADER.size + self.control])

    def batch(self, offset: int, length: int, rows: int, schema: pa.Schema) -> pa.RecordBatch:
        """The record batch at a place in the frame, whose memory it shares.

        Raises:
            PsError: MALFORMED if there is none of that schema and number of rows.
        """
        if offset < HEADER.size or length < 0 or offset + length > len(self.frame):
            raise malformed(f"a message of {length} bytes at {offset}")
        message = pa.py_buffer(self.frame).slice(offset, length)
        try:
            batch = pa.ipc.read_record_batch(message, schema)
            batch.validate()
        except (pa.ArrowException, OSError, EOFError) as e:
            raise malformed(str(e)) from e
        if batch.num_rows != rows:
            raise malformed(f"{batch.num_rows} rows instead of {rows}")
        return batch


def frame(api: Api, correlation: int, millis: int, control: bytes, message: bytes = b"") -> bytes:
    """A request, with one Arrow message or none.

    Args:
        api: What is asked.
        correlation: The answer carries the same.
        millis: That the sender will wait.
        control: The control part.
        message: An encapsulated IPC message; it begins at :func:`message_offset`.
    """
    start = message_offset(len(control)) if message else HEADER.size + len(control)
    length = start + len(message)
    header = HEADER.pack(length, api.id, api.version, 0, correlation, millis, len(control), 0, 0)
    return b"".join((header, control)).ljust(start, b"\0") + message


def message_offset(control: int) -> int:
    """Where the Arrow message begins behind a control part of so many bytes."""
    return (HEADER.size + control + 63) & -64


class Connection:
    """A connection to the control loop or to one owner thread of a server.

    One request at a time is under way on it. It is of no use any more after an error on the way,
    and then closes itself. One thread at a time.
    """

    def __init__(
        self,
        address: str,
        owner: int,
        client: int,
        max_frame_bytes: int,
        deadline: Deadline,
        security: Security = IN_CLEAR,
        peer_timeout: float = PEER_TIMEOUT,
    ) -> None:
        """Connects and says hello.

        Raises:
            PsError: DISCONNECTED if it cannot be reached, UNAUTHENTICATED if one end does not
                trust the other, TIMEOUT, or what the server answers.
            ValueError: Naming a file of keys that is wrong.
        """
        context = security.context()
        credential = security.credential()
        self.address = address
        self._max_frame_bytes = max_frame_bytes
        self._correlation = 0
        self._awaited = False
        self._security = security
        self._peer_timeout = peer_timeout
        self._greeted = False
        self._pings = 0
        try:
            self._socket = socket.create_connection(
                addresses.split(address), timeout=deadline.left(address)
            )
        except TimeoutError as e:
            raise deadline.passed(address) from e
        except OSError as e:
            raise PsError(ErrorCode.DISCONNECTED, f"server {address} cannot be reached: {e}") from e
        versions = (_PROTOCOL_VERSION, _PROTOCOL_VERSION)
        mechanism = _TOKEN if credential else 0
        hello = Writer().pack("iiiiiq", _MAGIC, *versions, owner, mechanism, client)
        if credential:
            hello.blob(credential)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _watch(self._socket, peer_timeout)
            if context is not None:
                self._encrypt(context, deadline)
            answer = self.ask(Api.HELLO, hello.finish(), deadline).reader()
            _, self.owners, self.server, _ = answer.unpack("iiqi")
            self._greeted = True
        except PsError as e:
            self.close()
            unheard = e.code in (ErrorCode.DISCONNECTED, ErrorCode.TIMEOUT)
            if unheard and context is None and _speaks_http(address):
                raise _of_http(address) from e
            raise
        except BaseException:
            self.close()
            raise

    def _encrypt(self, context: ssl.SSLContext, deadline: Deadline) -> None:
        host, _ = addresses.split(self.address)
        try:
            self._socket.settimeout(deadline.left(self.address))
            self._socket = encrypted = context.wrap_socket(self._socket, server_hostname=host)
        except OSError as e:
            raise self._lost(e, deadline) from e
        self._security.check(self.address, encrypted)

    def is_open(self) -> bool:
        """Whether a request may be sent: the server has not hung up while none was under way."""
        if self._pings:
            self.close()  # what comes next answers no request
        if self._socket.fileno() >= 0:
            self._socket.settimeout(0)
            try:
                # One that speaks out of turn is of no use.
                self._socket.recv(1)
            except (BlockingIOError, ssl.SSLWantReadError):
                return True
            except OSError:
                pass
            self.close()
        return False

    @property
    def is_awaited(self) -> bool:
        """Whether an answer is outstanding."""
        return self._awaited

    def close(self) -> None:
        """Closes the socket. Idempotent."""
        self._socket.close()

    def ask(self, api: Api, control: bytes, deadline: Deadline) -> Answer:
        """Sends a request without Arrow messages and waits for its answer.

        Raises:
            PsError: What the server answers, DISCONNECTED or TIMEOUT.
        """
        self.send(api, control, b"", deadline)
        return self.receive(deadline)

    def send(self, api: Api, control: bytes, message: bytes, deadline: Deadline) -> None:
        """Sends a request; :meth:`receive` has to follow.

        Raises:
            PsError: DISCONNECTED or TIMEOUT.
        """
        self._correlation += 1
        millis = min(max(1, int(deadline.left(self.address) * 1000)), _MOST_MILLIS)
        request = frame(api, self._correlation, millis, control, message)
        try:
            self._socket.settimeout(deadline.left(self.address))
            self._socket.sendall(request)
            self._awaited = True
        except OSError as e:
            raise self._lost(e, deadline) from e
        except BaseException:
            self.close()
            raise

    def receive(self, deadline: Deadline) -> Answer:
        """The answer to the request sent.

        Raises:
            PsError: What the server answers, DISCONNECTED or TIMEOUT.
        """
        try:
            received = self._read_frame(deadline)
            self._awaited = False
        except OSError as e:
            raise self._lost(e, deadline) from e
        except BaseException:
            self.close()
            raise
        _, _, _, flags, correlation, _, control, code, _ = HEADER.unpack_from(received)
        if flags != _FLAG_RESPONSE or correlation != self._correlation:
            self.close()
            raise malformed(f"request {correlation} is answered, not {self._correlation}")
        if not 0 <= control <= len(received) - HEADER.size:
            self.close()
            raise malformed(f"a control part of {control} bytes")
        answer = Answer(received, control)
        if code != 0:
            message = f"server {self.address}: {answer.reader().string()}"
            raise PsError(ErrorCode.of_id(code), message)
        return answer

    def _lost(self, cause: OSError, deadline: Deadline) -> PsError:
        self.close()
        if isinstance(cause, TimeoutError) and cause.errno is None:  # else it is the kernel's
            return deadline.passed(self.address)
        refusal = refused(self.address, cause, self._security)
        if refusal is not None:
            return refusal
        return PsError(ErrorCode.DISCONNECTED, f"server {self.address}: {cause}")

    def _read_frame(self, deadline: Deadline) -> memoryview:
        """The next whole frame; the chunks of a large one put together."""
        header = self._read_header(memoryview(bytearray(HEADER.size)), deadline)
        length, api, *_ = HEADER.unpack(header)
        if api != Api.CHUNK.id:
            whole = self._allocate(length)
            whole[: HEADER.size] = header
            self._read(whole[HEADER.size :], deadline)
            return whole
        whole = self._allocate(HEADER.unpack(header)[6])
        filled = 0
        while True:
            length, api, _, _, _, offset, total, _, _ = HEADER.unpack(header)
            end = offset + length - HEADER.size
            if api != Api.CHUNK.id or total != len(whole) or offset != filled or end <= offset:
                raise malformed(f"a chunk of {length} bytes at {offset} of {total}")
            if end > total:
                raise malformed(f"a chunk that ends at {end} of {total} bytes")
            self._read(whole[offset:end], deadline)
            filled = end
            if filled == len(whole):
                break
            self._read_header(header, deadline)
        if HEADER.unpack_from(whole)[0] != len(whole):
            raise malformed("chunks do not make the frame they carry")
        return whole

    def _read_header(self, into: memoryview, deadline: Deadline) -> memoryview:
        """The next header of what is no answer to a PING."""
        while True:
            length, api, *_ = HEADER.unpack(self._read(into, deadline))
            if bytes(into[: len(_HTTP)]) == _HTTP:
                raise _of_http(self.address)
            if api != Api.PING.id:
                return into
            if length != HEADER.size or not self._pings:
                raise malformed(f"a frame of {length} bytes that answers no PING")
            self._pings -= 1

    def _allocate(self, length: int) -> memoryview:
        if length < HEADER.size:
            raise malformed(f"a frame of {length} bytes")
        if length > self._max_frame_bytes:
            message = (
                f"a frame of {length} bytes, more than max_frame_bytes {self._max_frame_bytes}"
            )
            raise PsError(ErrorCode.TOO_LARGE, message)
        return memoryview(bytearray(length))

    def _read(self, into: memoryview, deadline: Deadline) -> memoryview:
        """Fills a buffer from the socket."""
        filled = 0
        while filled < len(into):
            count = self._hear(into[filled:], deadline)
            if count == 0:
                raise ConnectionResetError("it closed the connection")
            filled += count
        return into

    def _hear(self, into: memoryview, deadline: Deadline) -> int:
        """Reads bytes that have come; asks a server that says nothing whether it is there."""
        for asked in (False, True):
            self._socket.settimeout(min(deadline.left(self.address), self._peer_timeout / 2))
            try:
                return self._socket.recv_into(into)
            except TimeoutError as e:
                if e.errno is not None:  # the kernel has given the connection up
                    raise
            deadline.left(self.address)
            if self._greeted and not asked:
                self._socket.sendall(frame(Api.PING, _PING, 0, b""))
                self._pings += 1
        raise ConnectionAbortedError(f"it has said nothing for {self._peer_timeout:g} s")


def _of_http(address: str) -> PsError:
    message = f"{address} is not a flink-ps server: it speaks HTTP; servers print their addresses"
    return PsError(ErrorCode.INVALID_ARGUMENT, message)


def _speaks_http(address: str) -> bool:
    """Whether a server that says nothing to us answers a request of HTTP."""
    try:
        with socket.create_connection(addresses.split(address), timeout=1) as probe:
            probe.settimeout(1)
            probe.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
            return probe.recv(len(_HTTP), socket.MSG_WAITALL) == _HTTP
    except OSError:
        return False


def _watch(connection: socket.socket, peer_timeout: float) -> None:
    """Lets the kernel ask the other end's machine whether it is there, where the platform can."""
    seconds = max(1, int(peer_timeout))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_USER_TIMEOUT", int(peer_timeout * 1000)),
        ("TCP_KEEPIDLE", max(1, seconds // 2)),
        ("TCP_KEEPINTVL", max(1, seconds // 4)),
        ("TCP_KEEPCNT", 2),
    ):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def checked_peer_timeout(seconds: float) -> float:
    """A peer timeout that is one.

    Raises:
        ValueError: If it is none.
    """
    if not fits(seconds, float) or not 1 <= seconds <= _LONGEST_SILENCE:
        allowed = f"between 1 and {_LONGEST_SILENCE} seconds"
        raise ValueError(f"peer_timeout must be {allowed}, not {seconds!r}")
    return seconds
