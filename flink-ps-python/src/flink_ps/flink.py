"""What PyFlink needs to run the connector. Nothing else of this package needs PyFlink."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flink_ps.checks import fits, must_be, people
from flink_ps.refusals import refusals

if TYPE_CHECKING:
    from pyflink.datastream import StreamExecutionEnvironment
    from pyflink.table import TableEnvironment

_JAR = "flink-sql-connector-ps"
_NO_CONNECTOR = "Could not find any factory for identifier 'flink-ps'"
_JARS_OPTION = "pipeline.jars"
_OPTIONS = Mapping[str, str]


def jar_path() -> Path:
    """The connector with all it needs beside Flink, in one jar.

    It comes with the package; where the package runs from the project's source, it is what was
    built there.

    Raises:
        FileNotFoundError: If it was not built.
    """
    return _jar(_JAR, "")


def library_paths(*names: str) -> list[Path]:
    """Jars that come beside the connector's, by the names of their artifacts.

    Raises:
        FileNotFoundError: As of :func:`jar_path`.
    """
    return [_jar(name, "flink-ml") for name in names]


def _jar(name: str, folder: str) -> Path:
    packaged = Path(__file__).parent / "lib" / f"{name}.jar"
    if packaged.is_file():
        return packaged
    built = Path(__file__).resolve().parents[3] / _JAR / "target" / folder
    for jar in sorted(built.glob(f"{name}-*.jar")):
        return jar
    raise FileNotFoundError(
        f"there is neither {packaged} nor {built}/{name}-*.jar: install the package by pip install"
        " ./flink-ps-python, or build the jar by bin/verify"
    )


@refusals()
def add_to(environment: "StreamExecutionEnvironment | TableEnvironment") -> None:
    """Puts the connector's jar on the jobs of an environment, beside the jars that it has.

    Of a table environment on top of a stream environment either will do. Adding it again changes
    nothing.

    Raises:
        FileNotFoundError: As of :func:`jar_path`.
        ValueError: If it is no environment.
    """
    add_jars(environment, [jar_path()])


def add_jars(
    environment: "StreamExecutionEnvironment | TableEnvironment", paths: Sequence[Path]
) -> None:
    """Puts jars on the jobs of an environment that does not have them yet."""
    from pyflink.common import Configuration  # noqa: PLC0415 - optional
    from pyflink.datastream import StreamExecutionEnvironment  # noqa: PLC0415
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415
    from pyflink.table import TableEnvironment  # noqa: PLC0415

    urls = [path.as_uri() for path in paths]
    flink = get_gateway().jvm.org.apache.flink
    if isinstance(environment, StreamExecutionEnvironment):
        options = environment._j_stream_execution_environment.getConfiguration()
        there = options.get(flink.configuration.PipelineOptions.JARS) or []
        if missing := [url for url in urls if url not in there]:
            environment.add_jars(*missing)
        return
    must_be(environment, TableEnvironment, "an environment that is not of streams")
    config = environment.get_config()
    is_yaml = flink.configuration.GlobalConfiguration.isStandardYaml()
    jars = Configuration.parse_list_value(config.get(_JARS_OPTION, ""), is_yaml)
    if missing := [url for url in urls if url not in jars]:
        jars = [*jars, *missing]
        config.set(_JARS_OPTION, str(jars) if is_yaml else ";".join(jars))


def register_catalog(
    tables: "TableEnvironment",
    name: str,
    model_root: str | Path,
    options: Mapping[str, str] | None = None,
) -> None:
    """Makes a catalog of models, ``CREATE CATALOG .. WITH ('type' = 'flink-ps', ..)``.

    The environment needs the connector's jar (:func:`add_to`).

    Args:
        tables: Whose catalog it is.
        name: Of the catalog.
        model_root: Folder of the models, on storage that all processes see; a path or a URI, as it
            is: of neither are percent signs decoded.
        options: Others of the catalog, by their names in SQL, such as ``default-database``.

    Raises:
        ValueError: Where Flink refuses it, such as for an option that is none, a value that is
            wrong, or a name that another catalog has; for arguments of other types; and where the
            environment does not have the jar.
    """
    from pyflink.table import TableEnvironment  # noqa: PLC0415 - optional

    must_be(tables, TableEnvironment, "whose catalog it is")
    if not isinstance(model_root, str | Path) or not str(model_root):
        raise ValueError(f"model_root must be a text or a Path, and not empty, not {model_root!r}")
    if not fits(options or {}, _OPTIONS):
        raise ValueError(f"options must be {people(_OPTIONS)}, not {options!r}")
    if given_apart := {"type", "model-root"} & set(options or {}):
        raise ValueError(f"options cannot have {', '.join(sorted(given_apart))}")
    stated = {"type": "flink-ps", "model-root": str(model_root), **(options or {})}
    pairs = ", ".join(f"{text(key)} = {text(value)}" for key, value in stated.items())
    try:
        with refusals():
            tables.execute_sql(f"CREATE CATALOG {quoted_name(name)} WITH ({pairs})")
    except ValueError as e:
        if not str(e).startswith(_NO_CONNECTOR):
            raise
        why = "tables do not have the connector's jar: call flink_ps.add_to(tables) first"
        raise ValueError(why) from None


def text(value: str) -> str:
    """A literal of SQL."""
    return "'" + value.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """A name of SQL.

    Raises:
        ValueError: For an empty one, which SQL cannot write.
    """
    must_be(name, str, "a name in SQL")
    if not name:
        raise ValueError("a name in SQL cannot be empty")
    return "`" + name.replace("`", "``") + "`"
