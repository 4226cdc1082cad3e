"""The sessions of docs/python.md, run as they stand there."""

import doctest
import os
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import built

PAGE = built.ROOT / "docs" / "python.md"
SECONDS = 120
BLOCK = re.compile(r"^```(bash|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyFlink are its own


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands run: with the command line, and a Flink that runs a job's class at once."""
    programs = {
        "bin/flink-ps": shlex.join(built.java("io.github.flinkps.cli.Main")) + ' "$@"',
        # flink run -p N -c CLASS JAR ..
        "flink/bin/flink": f'shift 4; class=$1; shift 2; {shlex.join(built.java("$class"))} "$@"',
    }
    for name, command in programs.items():
        program = tmp_path / name
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{command}\n".replace("'$class'", '"$class"'))
        program.chmod(0o755)
    monkeypatch.setenv("_python_worker_execution_mode", "process")
    return tmp_path


@pytest.fixture
def page(folder: Path) -> str:
    """The page, with files in the test's folder and servers at free ports."""
    text = PAGE.read_text().replace("/tmp/", f"{folder}/")
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        ports = [held.getsockname()[1] for held in (one, two)]
    return text.replace("7070", str(ports[0])).replace("7071", str(ports[1]))


@pytest.fixture
def shell(folder: Path) -> Iterator["Shell"]:
    running = Shell(folder)
    yield running
    running.close()


class Shell:
    """Runs commands; those in the background until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._groups: list[subprocess.Popen[bytes]] = []

    def run(self, commands: str) -> None:
        with (self._folder / "shell.log").open("ab") as log:
            process = subprocess.Popen(
                ["bash", "-e", "-c", commands],
                cwd=self._folder,
                env=os.environ | {"FLINK_HOME": str(self._folder / "flink")},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._groups.append(process)
        assert process.wait(SECONDS) == 0, (self._folder / "shell.log").read_text()
        for port in re.findall(r"server --port (\d+)", commands):
            await_port(int(port))

    def close(self) -> None:
        for process in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def await_port(port: int) -> None:
    """Until somebody listens there."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nobody listens at port {port}"
            time.sleep(0.05)


def test_the_sessions_do_what_the_page_says(page: str, shell: Shell) -> None:
    names: dict[str, Any] = {}
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(verbose=False)
    blocks = [match.groups() for match in BLOCK.finditer(page)]
    assert [kind for kind, _ in blocks].count("pycon") >= 6
    for kind, text in blocks:
        if kind == "bash":
            shell.run(text)
            continue
        examples = parser.get_doctest(text, names, "docs/python.md", None, None)
        said: list[str] = []
        runner.run(examples, out=said.append, clear_globs=False)
        names = examples.globs
        assert not said, "".join(said)
