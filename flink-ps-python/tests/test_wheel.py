"""The wheel, as pip builds it from the project's folder."""

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import built
from flink_ps import jar_path
from flink_ps.ml import jar_paths

JAR = "flink_ps/lib/flink-sql-connector-ps.jar"
FLINK_ML = ["flink_ps/lib/flink-ml-core.jar", "flink_ps/lib/flink-ml-servable-core.jar"]


def pip(*arguments: str, path: str | None = None) -> "subprocess.CompletedProcess[str]":
    """pip, without a network."""
    environment = os.environ | {"PIP_NO_INDEX": "1", "PATH": path or os.environ["PATH"]}
    command = [sys.executable, "-m", "pip", *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def wheel(source: Path, to: Path, path: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Builds the wheel by the tools of this environment."""
    flags = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(to))
    return pip("wheel", *flags, str(source), path=path)


def test_the_wheel_carries_the_jar_and_runs_elsewhere(tmp_path: Path) -> None:
    done = wheel(built.ROOT / "flink-ps-python", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = tmp_path.glob("flink_ps-*-py3-none-any.whl")
    with zipfile.ZipFile(file) as archive:
        assert archive.read(JAR) == jar_path().read_bytes()
        for name, built_jar in zip([JAR, *FLINK_ML], jar_paths(), strict=True):
            assert archive.read(name) == built_jar.read_bytes()
        assert "flink_ps/py.typed" in archive.namelist()
        (notice,) = (name for name in archive.namelist() if name.endswith("/licenses/NOTICE"))
        said = archive.read(notice).decode()
        for built_jar in jar_paths()[1:]:
            assert built_jar.stem in said.replace(":", "-")
            with zipfile.ZipFile(built_jar) as jar:
                assert {"META-INF/LICENSE", "META-INF/NOTICE"} <= {*jar.namelist()}
    home = tmp_path / "home"
    installed = pip("install", "--no-deps", "--target", str(home), str(file))
    assert installed.returncode == 0, installed.stdout + installed.stderr
    code = (
        "import flink_ps; from flink_ps.ml import jar_paths;"
        "print(flink_ps.__version__, *jar_paths(), sep='\\n')"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    version, *paths = printed.stdout.split()
    assert f"flink_ps-{version}-py3-none-any.whl" == file.name
    assert paths == [str(home / name) for name in (JAR, *FLINK_ML)]


def test_one_command_installs_what_notebooks_need(tmp_path: Path) -> None:
    home = tmp_path / "home"
    subprocess.run([sys.executable, "-m", "venv", str(home)], timeout=60, check=True)
    python = str(home / "bin" / "python")
    package = f"{built.ROOT / 'flink-ps-python'}[notebooks]"
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-input", package],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    code = (
        "import flink_ps, matplotlib.pyplot, jupyterlab, ipykernel, pandas\n"
        "from pyflink.table import EnvironmentSettings, TableEnvironment\n"
        "tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())\n"
        "flink_ps.add_to(tables)\n"
        "frame = pandas.DataFrame({'x': [1.5, 2.5]})\n"
        "print(tables.from_pandas(frame).to_pandas()['x'].sum())\n"
    )
    scripts = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    printed = subprocess.run(
        [python, "-W", "ignore", "-c", code],
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        | {"PATH": scripts},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert printed.stdout.split()[-1] == "4.0"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of nothing but what the build of a wheel looks at, with a Maven of its own."""
    root = tmp_path / "project"
    kept = shutil.ignore_patterns("target", "__pycache__", "tests")
    shutil.copytree(built.ROOT / "flink-ps-python", root / "flink-ps-python", ignore=kept)
    for module in ("arrow-codec", "ps-service", "flink-ps-connector", "flink-sql-connector-ps"):
        (root / module / "src" / "main").mkdir(parents=True)
        (root / module / "pom.xml").touch()
    (root / "pom.xml").touch()
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text(
        "#!/bin/sh\n"
        'echo "$@" >>calls\n'
        "mkdir -p flink-sql-connector-ps/target/flink-ml\n"
        "echo jar >flink-sql-connector-ps/target/flink-sql-connector-ps-1.jar\n"
        "for name in core servable-core; do\n"
        "  echo jar >flink-sql-connector-ps/target/flink-ml/flink-ml-$name-2.jar\n"
        "done\n"
    )
    maven.chmod(maven.stat().st_mode | stat.S_IXUSR)
    return root


def test_a_jar_that_is_missing_or_old_is_built(project: Path, tmp_path: Path) -> None:
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    calls = project / "calls"
    for expected in (1, 1):
        done = wheel(project / "flink-ps-python", tmp_path / "out", path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(calls.read_text().splitlines()) == expected
    jar = project / "flink-sql-connector-ps" / "target" / "flink-sql-connector-ps-1.jar"
    os.utime(jar, (1, 1))
    done = wheel(project / "flink-ps-python", tmp_path / "out", path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert calls.read_text().splitlines() == 2 * [
        "-B -ntp -Dquick -Dmaven.test.skip=true -pl flink-sql-connector-ps -am package"
    ]


def test_a_wheel_without_maven_or_project(project: Path, tmp_path: Path) -> None:
    done = wheel(project / "flink-ps-python", tmp_path / "out", "/nowhere")
    assert done.returncode != 0
    assert "install a JDK 17 and Maven 3.8 or newer" in done.stderr
    (tmp_path / "bin" / "mvn").write_text("#!/bin/sh\nexit 1\n")
    done = wheel(project / "flink-ps-python", tmp_path / "out", str(tmp_path / "bin"))
    assert done.returncode != 0
    assert "Maven cannot build flink-sql-connector-ps" in done.stderr
    alone = shutil.copytree(project / "flink-ps-python", tmp_path / "alone" / "flink-ps-python")
    done = wheel(Path(alone), tmp_path / "out")
    assert done.returncode != 0
    assert "is built in the project's folder" in " ".join(done.stderr.split())
