"""Flink ML in Java, called by reflection: py4j finds no method that a class inherits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flink_ps.checks import must_be
from flink_ps.flink import add_jars, jar_path, library_paths
from flink_ps.refusals import refusals

if TYPE_CHECKING:
    from pyflink.table import StreamTableEnvironment, Table

OURS = "io.github.flinkps.flink.ml."
FLINK_ML = "org.apache.flink.ml."
TEXT = "java.lang.String"
TABLES = "[Lorg.apache.flink.table.api.Table;"
_CONNECTOR = "io.github.flinkps.flink.FlinkPs"
_STAGE = FLINK_ML + "api.Stage"
_ENVIRONMENT = "org.apache.flink.table.api.bridge.java.StreamTableEnvironment"
_IMPLEMENTATION = "org.apache.flink.table.api.internal.TableEnvironmentImpl"
_TAKES_JARS = "java.net.URLClassLoader"
_REFUSALS = ("java.lang.Illegal", "java.lang.UnsupportedOperation", "java.io.", "java.nio.")

_seen: list[Any] = []  # the loader of the thread that came here last


def jar_paths() -> list[Path]:
    """What a job of these stages needs: the connector's jar and those of Flink ML.

    Raises:
        FileNotFoundError: As of :func:`flink_ps.jar_path`.
    """
    return [jar_path(), *library_paths("flink-ml-core", "flink-ml-servable-core")]


@contextmanager
def refused() -> Iterator[None]:
    """Turns what a stage refuses into a ValueError: params, columns, files, models that are not.

    Also a decorator. Of what it is around, only fit with tune runs a job.
    """
    with refusals(*_REFUSALS):
        yield


class Reflection:
    """Classes and methods of a thread."""

    def __init__(self) -> None:
        from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

        self._gateway = get_gateway()
        self.jvm = self._gateway.jvm
        self._loader = _loader(self.jvm)

    def array(self, of: Any, *items: Any) -> Any:
        """An array of a class as py4j names it."""
        made = self._gateway.new_array(of, len(items))
        for place, item in enumerate(items):
            made[place] = item
        return made

    def type(self, name: str) -> Any:
        """The class of a name."""
        return self.jvm.java.lang.Class.forName(name, True, self._loader)

    def new(self, name: str, *arguments: Any) -> Any:
        """An instance by the only constructor."""
        constructor = self.type(name).getConstructors()[0]
        return constructor.newInstance(self.array(self.jvm.java.lang.Object, *arguments))

    def method(self, of: str, name: str, *parameters: str) -> Any:
        """A public method by the classes of its parameters."""
        types = self.array(self.jvm.java.lang.Class, *map(self.type, parameters))
        return self.type(of).getMethod(name, types)

    def call(self, method: Any, target: Any, *arguments: Any) -> Any:
        """Calls a method of :meth:`method`; of none for a static one."""
        return method.invoke(target, self.array(self.jvm.java.lang.Object, *arguments))

    def boxed(self, kind: str, value: Any) -> Any:
        """An argument of one of Java's classes of values, which py4j would choose by its size."""
        lang = self.jvm.java.lang
        boxes = self.array(lang.Object, None)
        if kind == "String[]" and value is not None:
            boxes[0] = self.array(lang.String, *value)
        else:
            of = getattr(lang, kind.removesuffix("[]"))
            lang.System.arraycopy(self.array(of, value), 0, boxes, 0, 1)
        return boxes

    def load(self, name: str, tables: "StreamTableEnvironment", path: str | Path) -> Any:
        """A stage that was saved, by the static method of its class."""
        load = self.method(name, "load", _ENVIRONMENT, TEXT)
        return self.call(load, None, tables._j_tenv, str(path))

    def tables(self, inputs: "tuple[Table, ...]") -> Any:
        """Tables as Java takes them."""
        return self.array(
            self.jvm.org.apache.flink.table.api.Table, *(table._j_table for table in inputs)
        )


def _loader(jvm: Any) -> Any:
    """What loads the connector and Flink ML for this thread: one, as each refers to the other.

    A thread of Java that has none, such as py4j's after a lost connection, gets the one of before.

    Raises:
        ValueError: Where a loader has the connector that cannot take the jars of Flink ML.
    """
    thread = jvm.java.lang.Thread.currentThread()
    current = thread.getContextClassLoader()
    found = _find(current, _CONNECTOR)
    if found is None and _seen:
        current = _seen[0]
        thread.setContextClassLoader(current)
        found = _find(current, _CONNECTOR)
    if found is None:
        _add(thread, current, _missing(jvm))
        current = thread.getContextClassLoader()
        found = _find(current, _CONNECTOR)
    loader = found.getClassLoader()
    if _find(loader, _STAGE) is None:
        jars = jar_paths()[1:]
        # Flink's own takes none, and does not see what py4j needs of the thread's
        if not jvm.java.lang.Class.forName(_TAKES_JARS).isInstance(loader):
            names = ", ".join(path.name for path in jars)
            raise ValueError(f"the connector is in Flink's own lib folder: {names} must be, too")
        _add(thread, loader, jars)
        thread.setContextClassLoader(current)
    _seen[:] = [current]
    return loader


def _missing(jvm: Any) -> list[Path]:
    """The jars that are not in Flink's own lib folder; a class must not come from two places."""
    own = jvm.java.lang.ClassLoader.getSystemClassLoader()
    jars = jar_paths()
    connector = [] if _find(own, _CONNECTOR) else jars[:1]
    return connector + ([] if _find(own, _STAGE) else jars[1:])


def _add(thread: Any, loader: Any, jars: list[Path]) -> None:
    """Adds jars to a loader that can take more, else to a new one, and makes it the thread's."""
    from pyflink.util.java_utils import (  # noqa: PLC0415 - optional
        add_jars_to_context_class_loader,
    )

    thread.setContextClassLoader(loader)
    add_jars_to_context_class_loader([path.as_uri() for path in jars])


def _find(loader: Any, name: str) -> Any:
    from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - optional

    try:
        return loader.loadClass(name)
    except Py4JJavaError as e:
        if e.java_exception.getClass().getName() != "java.lang.ClassNotFoundException":
            raise
        return None


def environment(*inputs: "Table") -> "StreamTableEnvironment":
    """Which tables are of; it gets the jars.

    Raises:
        ValueError: If one is no table, or there is none.
    """
    from pyflink.table import Table  # noqa: PLC0415 - optional

    for table in inputs:
        must_be(table, Table, "what a stage reads")
    if not inputs:
        raise ValueError("there must be a table")
    return prepared(inputs[0]._t_env)


def prepared(tables: Any) -> "StreamTableEnvironment":
    """An environment whose jobs have the jars.

    Raises:
        ValueError: If it is not one of a stream environment.
    """
    from pyflink.datastream import StreamExecutionEnvironment  # noqa: PLC0415 - optional
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415
    from pyflink.table import StreamTableEnvironment  # noqa: PLC0415

    must_be(tables, StreamTableEnvironment, "the environment of a stage's tables")
    if not tables._j_tenv.getClass().getName().endswith("StreamTableEnvironmentImpl"):
        raise ValueError(
            "the environment of a stage's tables must be made of one of streams:"
            " StreamTableEnvironment.create(StreamExecutionEnvironment..)"
        )
    jars = _missing(get_gateway().jvm)
    add_jars(StreamExecutionEnvironment(tables._get_j_env()), jars)
    add_jars(tables, jars)
    _add_to_planner(tables, jars)
    return tables


def _add_to_planner(tables: "StreamTableEnvironment", jars: list[Path]) -> None:
    """Lets an environment plan queries with Vectors that was made before the jars were there."""
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

    implementation = get_gateway().jvm.java.lang.Class.forName(_IMPLEMENTATION)
    resources = implementation.getDeclaredField("resourceManager")
    resources.setAccessible(True)
    if _find(resources.get(tables._j_tenv).getUserClassLoader(), _STAGE) is None:
        for jar in jars:
            path = str(jar).replace("'", "''")
            tables.execute_sql(f"ADD JAR '{path}'")
