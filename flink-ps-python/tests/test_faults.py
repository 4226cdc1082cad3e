"""Servers that stop, go away or say nonsense."""

import http.server
import os
import random
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import numpy as np
import pytest

import built
import tables
from flink_ps import Client, ErrorCode, PsError
from flink_ps.batches import schema, to_batch
from flink_ps.pool import Pool
from flink_ps.wire import HEADER, Answer, Api, Deadline, message_offset

HELLO = struct.pack("<iiqi", 2, 1, 77, 1 << 28)


def test_a_server_that_is_stopped_gives_an_error_in_time() -> None:
    with built.server() as (address, process), Client(address) as client:
        tables.create(client, "stopped", tables.spec("dense", size=10))
        table = client.model("stopped").table("dense")
        assert table.pull([1, 2]).num_rows == 2
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        for call in (
            lambda: table.pull([1], timeout=0.3),
            lambda: table.pull_range(0, 10, timeout=0.3),
            lambda: next(table.scan(timeout=0.3)),
            lambda: client.model("stopped", timeout=0.3),
            lambda: Client(address, timeout=0.3),
        ):
            with pytest.raises(PsError, match=r"did not answer within 0\.3 s") as error:
                call()
            assert error.value.code is ErrorCode.TIMEOUT
            assert not error.value.retriable
        process.send_signal(signal.SIGCONT)
        assert table.pull([1, 2]).num_rows == 2
        assert client.model("stopped").table("dense").pull([1, 2]).num_rows == 2


@pytest.mark.parametrize("speaks_first", [False, True])
def test_a_server_of_http_is_told_apart(speaks_first: bool) -> None:
    class Refusing(http.server.BaseHTTPRequestHandler):
        def handle(self) -> None:
            if speaks_first:
                self.wfile.write(b"HTTP/1.1 400 Bad Request" + b"\r\n" * 20)
            super().handle()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"127.0.0.1:{server.server_port}"
        try:
            with pytest.raises(PsError, match="is not a flink-ps server: it speaks HTTP") as error:
                Client(address, timeout=1)
            assert error.value.code is ErrorCode.INVALID_ARGUMENT
        finally:
            server.shutdown()
            thread.join()


def test_a_silent_server_is_given_up_before_the_call_is() -> None:
    with (
        built.server() as (address, process),
        Client(address, timeout=60, peer_timeout=1) as client,
    ):
        tables.create(client, "silent", tables.spec("dense", size=10))
        table = client.model("silent").table("dense")
        assert table.pull([1, 2]).num_rows == 2
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        for call in (lambda: table.pull([1]), lambda: Client(address, timeout=60, peer_timeout=1)):
            with pytest.raises(PsError, match="it has said nothing for 1 s") as error:
                call()
            assert error.value.code is ErrorCode.DISCONNECTED
            assert error.value.retriable
        process.send_signal(signal.SIGCONT)
        assert table.pull([1, 2]).num_rows == 2


def test_the_kernel_asks_for_the_other_machine() -> None:
    with scripted(WHOLE) as address, Client(address, peer_timeout=8) as client:
        connection = client._pool._connections[0, -1]._socket
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        for name, value in (
            ("TCP_USER_TIMEOUT", 8000),
            ("TCP_KEEPIDLE", 4),
            ("TCP_KEEPINTVL", 2),
            ("TCP_KEEPCNT", 2),
        ):
            if hasattr(socket, name):
                assert connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value


def test_a_server_that_ends_and_another_in_its_place() -> None:
    with ExitStack() as stack:
        address, process = stack.enter_context(built.server())
        client = stack.enter_context(Client(address))
        tables.create(client, "ended", tables.spec("dense", size=10))
        table = client.model("ended").table("dense")
        assert table.pull([1]).num_rows == 1
        process.kill()
        process.wait()
        for _ in range(2):
            with pytest.raises(PsError, match=f"server {address}") as error:
                table.pull([1])
            assert error.value.code is ErrorCode.DISCONNECTED
            assert error.value.retriable
        with pytest.raises(PsError, match=f"server {address} cannot be reached"):
            Client(address)
        stack.enter_context(built.server("--port", address.split(":")[1]))
        with pytest.raises(PsError, match="has been restarted; open the model again") as error:
            table.pull([1])
        assert error.value.code is ErrorCode.UNKNOWN_SESSION
        with pytest.raises(PsError, match="UNKNOWN_MODEL"):
            client.model("ended")
        tables.create(client, "ended", tables.spec("dense", size=10))
        assert client.model("ended").table("dense").pull([1]).num_rows == 1


@contextmanager
def scripted(*answers: bytes) -> Iterator[str]:
    """A server that answers the requests of each connection with these bytes, then hangs up."""

    def serve(peer: socket.socket) -> None:
        with peer:
            for answer in answers:
                if not peer.recv(1 << 16):
                    return
                peer.sendall(answer)

    def accept() -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            serve(peer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def answer(api: Api, correlation: int, control: bytes, *, code: int = 0, flags: int = 1) -> bytes:
    length = HEADER.size + len(control)
    return (
        HEADER.pack(length, api.id, api.version, flags, correlation, 0, len(control), code, 0)
        + control
    )


def chunk(offset: int, total: int, data: bytes) -> bytes:
    size = HEADER.size + len(data)
    return HEADER.pack(size, Api.CHUNK.id, 1, 1, 1, offset, total, 0, 0) + data


WHOLE = answer(Api.HELLO, 1, HELLO)
PONG = answer(Api.PING, -1, b"")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (answer(Api.HELLO, 2, HELLO), "request 2 is answered, not 1"),
        (answer(Api.HELLO, 1, HELLO, flags=0), "request 1 is answered"),
        (answer(Api.HELLO, 1, HELLO[:-1]), "bytes wanted"),
        (HEADER.pack(31, 0, 1, 1, 1, 0, 0, 0, 0), "a frame of 31 bytes"),
        (HEADER.pack(-1, 0, 1, 1, 1, 0, 0, 0, 0), "a frame of -1 bytes"),
        (HEADER.pack(2**31 - 1, 0, 1, 1, 1, 0, 0, 0, 0), "more than max_frame_bytes"),
        (HEADER.pack(32, 0, 1, 1, 1, 0, 1, 0, 0), "a control part of 1 bytes"),
        (HEADER.pack(32, 0, 1, 1, 1, 0, -1, 0, 0), "a control part of -1 bytes"),
        (chunk(1, 100, b"x"), "a chunk of 33 bytes at 1 of 100"),
        (chunk(0, 100, b""), "a chunk of 32 bytes at 0 of 100"),
        (chunk(0, 100, b"x" * 101), "a chunk that ends at 101 of 100 bytes"),
        (chunk(0, 2**31 - 1, b"x"), "more than max_frame_bytes"),
        (chunk(0, 52, WHOLE[:40]) + chunk(41, 52, WHOLE[40:]), "a chunk of 44 bytes at 41"),
        (chunk(0, 52, WHOLE[:40]) + WHOLE, "a chunk of 52 bytes"),
        (chunk(0, 40, WHOLE[:40]), "chunks do not make the frame they carry"),
        (WHOLE[:20], "closed the connection"),
        (b"", "closed the connection"),
    ],
)
def test_answers_that_make_no_sense(said: bytes, message: str) -> None:
    with scripted(said) as address, pytest.raises(PsError, match=message):
        Client(address, timeout=5)


def test_an_answer_in_chunks_is_put_together() -> None:
    pieces = [chunk(at, len(WHOLE), WHOLE[at : at + 7]) for at in range(0, len(WHOLE), 7)]
    with scripted(b"".join(pieces)) as address, Client(address) as client:
        assert client._pool._connections[0, -1].owners == 1


def test_errors_carry_code_and_message() -> None:
    for code, name, retriable in ((17, "THROTTLED", True), (5, "UNKNOWN_MODEL", False)):
        text = b"what is wrong"
        said = answer(Api.LIST_TABLES, 2, struct.pack("<i", len(text)) + text, code=code)
        with (
            scripted(WHOLE, said) as address,
            Client(address) as client,
            pytest.raises(PsError, match=f"{name}: server {address}: what is wrong") as error,
        ):
            client.model("any")
        assert error.value.code.name == name
        assert error.value.retriable == retriable


def test_a_slow_server_is_waited_for_while_it_says_that_it_is_there() -> None:
    whole = answer(Api.LIST_TABLES, 2, struct.pack("<i", 4) + b"none", code=5)
    pieces = chunk(0, len(whole), whole[:20]) + PONG + chunk(20, len(whole), whole[20:])
    with (
        scripted(WHOLE, b"", PONG, PONG, pieces) as address,
        Client(address, timeout=60, peer_timeout=1) as client,
    ):
        control = client._pool._connections[0, -1]
        with pytest.raises(PsError, match="UNKNOWN_MODEL"):
            client.model("any")
        assert control._pings == 0


def test_a_connection_on_which_an_answer_is_outstanding_is_not_used_again() -> None:
    said = answer(Api.LIST_TABLES, 2, struct.pack("<i", 4) + b"none", code=5)
    with (
        scripted(WHOLE, b"", said) as address,
        Client(address, timeout=60, peer_timeout=1) as client,
    ):
        control = client._pool._connections[0, -1]
        with pytest.raises(PsError, match="UNKNOWN_MODEL"):
            client.model("any")
        assert control._pings == 1
        assert not control.is_open()


def test_answers_to_nothing_make_no_sense() -> None:
    with (
        scripted(PONG) as address,
        pytest.raises(PsError, match="a frame of 32 bytes that answers no PING"),
    ):
        Client(address, timeout=5)


@pytest.mark.parametrize("seconds", [0, 0.9, 3601, float("nan"), float("inf"), None, "x", True])
def test_peer_timeouts_that_are_none(seconds: Any) -> None:
    with pytest.raises(ValueError, match="peer_timeout must be between 1 and 3600 seconds"):
        Client("localhost:1", peer_timeout=seconds)


def test_a_server_that_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        started = time.monotonic()
        with pytest.raises(PsError, match=r"did not answer within 0\.2 s") as error:
            Client(f"127.0.0.1:{listener.getsockname()[1]}", timeout=0.2)
        assert error.value.code is ErrorCode.TIMEOUT
        assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize("address", ["", "localhost", "localhost:", ":1", "a:0", "a:65536", "a:x"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(ValueError, match=r"not an address: '.*'; expected host:port"):
        Client(address)


@pytest.mark.parametrize(
    ("servers", "why"),
    [
        ([], r"servers must be addresses host:port, not \[\]"),
        (None, "servers must be addresses host:port, not None"),
        (5, "servers must be addresses host:port, not 5"),
        (b"localhost:1", "servers must be addresses host:port, not 108"),
        (["localhost:1", 3], "servers must be addresses host:port, not 3"),
        (["h:1;h:2"], "servers: not an address: 'h:1;h:2'"),
        (["h:1,h:2"], "servers: not an address: 'h:1,h:2'"),
        ("h:1,h:2, h:1", "servers: server h:1 is named twice"),
        (["[::1]:1", "::1:1"], "servers: server ::1:1 is named twice"),
    ],
)
def test_servers_that_are_none(servers: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Client(servers)


@pytest.mark.parametrize("most", [-1, 0, 31, 1.5, None, "1 MB", True])
def test_sizes_that_are_none(most: Any) -> None:
    with pytest.raises(ValueError, match="max_frame_bytes must be a whole number of at least 32"):
        Client("localhost:1", max_frame_bytes=most)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e300, None, "x", True])
def test_timeouts_that_are_none(timeout: Any) -> None:
    with pytest.raises(ValueError, match="timeout must be above 0 seconds"):
        Client("localhost:1", timeout=timeout)


def test_a_damaged_batch_is_an_error_or_rows() -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    batch = to_batch(np.arange(50, dtype=np.int64), np.ones((50, 3), dtype=np.float32))
    message = batch.serialize().to_pybytes()
    offset = message_offset(0)
    for _ in range(3000):
        damaged = bytearray(offset) + message
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(offset, len(damaged))] = chance.randrange(256)
        length = chance.choice((len(message), chance.randint(-1, len(message) + 1)))
        with suppress(PsError):
            found = Answer(memoryview(damaged), 0).batch(offset, length, 50, schema(3))
            assert found.column("key").to_numpy(False).shape == (50,)


@pytest.mark.parametrize("code", [ErrorCode.NOT_READY, ErrorCode.THROTTLED])
def test_reads_are_tried_again_while_a_server_cannot_answer(code: ErrorCode) -> None:
    pool = Pool(("a:1",), 10.0, 1 << 20)
    refusals = [PsError(code, "rolled back, or has no memory")] * 2

    def ask() -> str:
        if refusals:
            raise refusals.pop()
        return "rows"

    assert pool.read("m", Deadline(10), ask) == "rows"
    assert not refusals


def test_reads_of_a_model_that_stays_away_end_in_time() -> None:
    pool = Pool(("a:1",), 10.0, 1 << 20)
    asked = []

    def ask() -> None:
        asked.append(1)
        raise PsError(ErrorCode.NOT_READY, "rolled back")

    with pytest.raises(PsError, match="NOT_READY: rolled back"):
        pool.read("m", Deadline(0.1), ask)
    assert len(asked) > 1
