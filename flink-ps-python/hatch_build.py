"""Puts the connector's jar into the wheel; builds it where it was not built or is out of date."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULE = "flink-sql-connector-ps"
SOURCES = ("pom.xml", "arrow-codec", "ps-service", "flink-ps-connector", MODULE)
MAVEN = ("-B", "-ntp", "-Dquick", "-Dmaven.test.skip=true", "-pl", MODULE, "-am", "package")


class JarHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the jar to the files of the wheel, but not of an editable one."""
        if version == "standard":
            jar = up_to_date_jar(Path(self.root).parent)
            build_data["force_include"][str(jar)] = f"flink_ps/lib/{MODULE}.jar"


def up_to_date_jar(project: Path) -> Path:
    """The jar of the project's sources.

    Raises:
        RuntimeError: If it has to be built and cannot be.
    """
    changed = newest(project)
    jar = find(project)
    if jar is None or jar.stat().st_mtime < changed:
        build(project)
        jar = find(project)
    if jar is None:
        raise RuntimeError(f"Maven has built no {MODULE}/target/{MODULE}-*.jar")
    return jar


def find(project: Path) -> Path | None:
    """The jar that was built last, if any."""
    built = (project / MODULE / "target").glob(f"{MODULE}-*.jar")
    jars = [jar for jar in built if not jar.stem.endswith(("-sources", "-javadoc", "-tests"))]
    return max(jars, key=lambda jar: jar.stat().st_mtime, default=None)


def newest(project: Path) -> float:
    """When the jar's sources were changed."""
    return max(path.stat().st_mtime for path in sources(project))


def sources(project: Path) -> Iterator[Path]:
    """Files of which the jar is made, and their folders, in which a removed file shows."""
    for name in SOURCES:
        module = project / name
        if not module.exists():
            raise RuntimeError(
                f"{module} is missing: the wheel carries the jar of {MODULE}, and is built in the"
                " project's folder, flink-ps-python of a clone"
            )
        yield module / "pom.xml" if module.is_dir() else module
        if (module / "src" / "main").is_dir():
            yield from (module / "src" / "main").rglob("*")


def build(project: Path) -> None:
    """Builds the jar with Maven."""
    maven = shutil.which("mvn")
    if maven is None:
        raise RuntimeError(
            f"the wheel carries the jar of {MODULE}, which has to be built: install a JDK 17 and"
            " Maven 3.8 or newer, or build it elsewhere first"
        )
    print(f"Building {MODULE} (the first time Maven downloads what it needs) ...", flush=True)
    done = subprocess.run([maven, *MAVEN], cwd=project, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"Maven cannot build {MODULE}: see its output above")
