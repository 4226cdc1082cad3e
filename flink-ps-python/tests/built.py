"""The project as it was built, for tests that need a server or a job."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JOB_SECONDS = 120
_OPENED = ("java.lang", "java.nio", "java.util", "java.util.concurrent", "java.time")


def class_path() -> str:
    """Of the command line, the examples and Flink: FLINK_PS_TEST_CLASSPATH, else what was built."""
    given = os.environ.get("FLINK_PS_TEST_CLASSPATH")
    if given:
        return given
    jars = [
        jar
        for module in ("flink-ps-cli", "examples")
        for jar in (ROOT / module / "target").glob(f"{module}-*.jar")
        if not jar.name.endswith(("-tests.jar", "-sources.jar"))
    ]
    libraries = ROOT / "flink-ps-cli" / "target" / "lib"
    assert len(jars) == 2, "not built yet: run bin/verify"
    assert libraries.is_dir(), "not built yet: run bin/verify"
    return ":".join([*map(str, jars), f"{libraries}/*"])


def java(main: str, *arguments: str) -> list[str]:
    """The command that runs a main class of the project."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else "java"
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
    return [program, "-Xmx1g", *opened, "-cp", class_path(), main, *arguments]


def run(main: str, *arguments: str) -> str:
    """Runs it to its end and returns what it printed."""
    ended = subprocess.run(
        java(main, *arguments), capture_output=True, text=True, timeout=JOB_SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def said(code: str) -> str:
    """What a program prints in a process of its own, where nothing was done before it."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": "src"},
        cwd=ROOT / "flink-ps-python",
        capture_output=True,
        text=True,
        timeout=JOB_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def server(*options: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A server process, and the address at which it listens."""
    command = java("io.github.flinkps.cli.Main", "server", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            listening = re.fullmatch(r"listening on (\S+)\n", line)
            assert listening, f"the server said {line!r}"
            yield listening[1], process
        finally:
            process.kill()
