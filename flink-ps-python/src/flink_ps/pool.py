"""The connections of a client, and its registrations with models."""

import secrets
import time
from collections.abc import Callable
from typing import TypeVar

from flink_ps import wire
from flink_ps.errors import ErrorCode, PsError
from flink_ps.security import IN_CLEAR, Security
from flink_ps.wire import Api, Connection, Deadline

_ASP = 2
_NO_WORKER = -1
_PAUSE = 0.02
_LATER = (ErrorCode.NOT_READY, ErrorCode.THROTTLED)

T = TypeVar("T")


class Pool:
    """Connections to the threads of servers, made when they are needed. One thread at a time.

    Attributes:
        servers: Their addresses.
    """

    def __init__(
        self,
        servers: tuple[str, ...],
        timeout: float,
        max_frame_bytes: int,
        security: Security = IN_CLEAR,
        peer_timeout: float = wire.PEER_TIMEOUT,
    ) -> None:
        self.servers = servers
        self._timeout = timeout
        self._max_frame_bytes = max_frame_bytes
        self._security = security
        self._peer_timeout = peer_timeout
        self._client = secrets.randbits(63)
        self._connections: dict[tuple[int, int], Connection] = {}
        self._sessions: dict[tuple[int, str], int] = {}
        self._closed = False

    def deadline(self, timeout: float | None) -> Deadline:
        """When a call gives up that begins now; None: after the usual time."""
        return Deadline(self._timeout if timeout is None else timeout)

    def control(self, server: int, deadline: Deadline) -> Connection:
        """The connection to the control loop of a server."""
        return self.connection(server, wire.CONTROL, deadline)

    def connection(self, server: int, owner: int, deadline: Deadline) -> Connection:
        """The connection to an owner thread of a server.

        Raises:
            PsError: CLOSED, and as :class:`Connection`.
        """
        if self._closed:
            raise PsError(ErrorCode.CLOSED, "the client is closed")
        known = self._connections.get((server, owner))
        if known is not None and known.is_open():
            return known
        address = self.servers[server]
        made = Connection(
            address,
            owner,
            self._client,
            self._max_frame_bytes,
            deadline,
            self._security,
            self._peer_timeout,
        )
        self._connections[server, owner] = made
        return made

    def session(self, model: str, server: int, deadline: Deadline) -> int:
        """The number of the registration with a model at a server.

        It belongs to no attempt of a job and is no worker's. One is kept for each model, as servers
        keep them until the model goes.
        """
        control = self.control(server, deadline)
        known = self._sessions.get((control.server, model))
        if known is not None:
            return known
        out = wire.Writer().string(model).string("python-client").pack("qii", 0, _NO_WORKER, 1)
        out.pack("ii", _ASP, 0).string("").pack("ii", server, len(self.servers))
        answer = control.ask(Api.OPEN_MODEL, out.finish(), deadline).reader()
        number = int(answer.unpack("i")[0])
        self._sessions[control.server, model] = number
        return number

    def read(self, model: str, deadline: Deadline, ask: Callable[[], T]) -> T:
        """What ``ask`` returns; it is called again while a server cannot answer yet.

        A server is not ready while a job loads the model or rolls it back, and refuses what it has
        no memory for at the moment. Forgets the sessions with a model when a server says that it
        does not know them.

        Raises:
            PsError: What ``ask`` raises; NOT_READY or THROTTLED if that was so until the deadline.
        """
        while True:
            try:
                return ask()
            except PsError as e:
                if e.code is ErrorCode.UNKNOWN_SESSION:
                    for key in [key for key in self._sessions if key[1] == model]:
                        del self._sessions[key]
                if e.code not in _LATER or not deadline.allows(_PAUSE):
                    raise
            time.sleep(_PAUSE)

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._closed = True
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()
