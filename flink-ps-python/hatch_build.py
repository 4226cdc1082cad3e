"""Puts the connector's jar into the wheel, and those of Flink ML that stages need.

It builds them where they were not built or are out of date.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULE = "flink-sql-connector-ps"
FLINK_ML = ("flink-ml-core", "flink-ml-servable-core")
SOURCES = ("pom.xml", "arrow-codec", "ps-service", "flink-ps-connector", MODULE)
MAVEN = ("-B", "-ntp", "-Dquick", "-Dmaven.test.skip=true", "-pl", MODULE, "-am", "package")


class JarHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the jars to the files of the wheel, but not of an editable one."""
        if version == "standard":
            for name, jar in up_to_date_jars(Path(self.root).parent).items():
                build_data["force_include"][str(jar)] = f"flink_ps/lib/{name}.jar"


def up_to_date_jars(project: Path) -> dict[str, Path]:
    """The jars of the project's sources by the names of their artifacts.

    Raises:
        RuntimeError: If they have to be built and cannot be.
    """
    changed = newest(project)
    jars = find(project)
    if len(jars) < 1 + len(FLINK_ML) or jars[MODULE].stat().st_mtime < changed:
        build(project)
        jars = find(project)
    for name in (MODULE, *FLINK_ML):
        if name not in jars:
            raise RuntimeError(f"Maven has built no {name}-*.jar below {MODULE}/target")
    return jars


def find(project: Path) -> dict[str, Path]:
    """The jars that were built last; one that was not is left out."""
    target = project / MODULE / "target"
    jars = {MODULE: newest_of(target, MODULE)}
    jars |= {name: newest_of(target / "flink-ml", name) for name in FLINK_ML}
    return {name: jar for name, jar in jars.items() if jar is not None}


def newest_of(folder: Path, name: str) -> Path | None:
    """The jar of an artifact that came into a folder last, if any."""
    built = folder.glob(f"{name}-*.jar")
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
