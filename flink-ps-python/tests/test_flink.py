"""PyFlink with the connector's jar."""

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, StreamTableEnvironment, TableEnvironment

import built
from flink_ps import add_to, jar_path, register_catalog
from flink_ps.refusals import refusals

pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyFlink are its own


@pytest.fixture(scope="module", autouse=True)
def without_functions() -> Iterator[None]:
    """Python functions need Beam, which is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_python_worker_execution_mode", "process")
        yield


def jars(configuration: Any) -> list[str]:
    option = get_gateway().jvm.org.apache.flink.configuration.PipelineOptions.JARS
    return [*(configuration.get(option) or [])]


def test_a_stream_environment_takes_the_jar_once() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    env.add_jars("file:///tmp/other.jar")
    add_to(env)
    add_to(env)
    options = env._j_stream_execution_environment.getConfiguration()
    assert jars(options) == ["file:///tmp/other.jar", jar_path().as_uri()]
    loader = get_gateway().jvm.java.lang.Thread.currentThread().getContextClassLoader()
    loader.loadClass("io.github.flinkps.flink.FlinkPs")


def test_table_environments_take_the_jar_once() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    for tables in (
        TableEnvironment.create(EnvironmentSettings.in_streaming_mode()),
        StreamTableEnvironment.create(env),
    ):
        tables.get_config().set("pipeline.jars", "['file:///tmp/other.jar']")
        add_to(tables)
        add_to(tables)
        config = tables.get_config()._j_table_config
        assert jars(config) == ["file:///tmp/other.jar", jar_path().as_uri()]


@pytest.mark.parametrize("options", [{}, {"default-database": "default"}])
def test_registers_a_catalog(tmp_path: Path, options: dict[str, str]) -> None:
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    add_to(tables)
    root = tmp_path / "it's a root"
    register_catalog(tables, "my `models`", root, options)
    assert tables.list_catalogs() == ["default_catalog", "my `models`"]
    described = tables.execute_sql("DESCRIBE CATALOG EXTENDED `my ``models```")
    with described.collect() as rows:
        found = {row[0]: row[1] for row in rows}
    assert found["type"] == "flink-ps"
    assert found["option:model-root"] == str(root)
    assert {key: found[f"option:{key}"] for key in options} == options


@pytest.fixture
def tables() -> TableEnvironment:
    made = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    add_to(made)
    return made


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"database": "ads"}, "^Unsupported options found for 'flink-ps'"),
        ({"remote": "localhost"}, "^catalog: remote: not an address: 'localhost'"),
        ({"default-database": "ads"}, "^option 'default-database': there is no database ads"),
        ({"default-database": 5}, "options must be texts by names, not {'default-database': 5}"),
        (["default-database"], "options must be texts by names, not "),
        ({"type": "jdbc", "model-root": "/"}, "options cannot have model-root, type"),
    ],
)
def test_wrong_options_of_a_catalog_are_refused(
    tables: TableEnvironment, tmp_path: Path, options: Any, why: str
) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        register_catalog(tables, "ps", tmp_path, options)
    assert "\tat " not in "".join(traceback.format_exception(refused.value))
    assert tables.list_catalogs() == ["default_catalog"]


@pytest.mark.parametrize(
    ("name", "root", "why"),
    [
        ("default_catalog", "/models", "^Catalog default_catalog already exists"),
        ("", "/models", "a name in SQL cannot be empty"),
        (5, "/models", "a name in SQL must be a str, not 5"),
        ("ps", "http://[models", "http://.models"),
        ("ps", "", "model_root must be .* not ''"),
        ("ps", None, "model_root must be .* not None"),
    ],
)
def test_wrong_names_and_folders_of_a_catalog_are_refused(
    tables: TableEnvironment, name: Any, root: Any, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        register_catalog(tables, name, root)


def test_what_is_no_environment_is_refused() -> None:
    other: Any = "tables"
    with pytest.raises(ValueError, match="must be a TableEnvironment, not 'tables'"):
        add_to(other)
    with pytest.raises(ValueError, match="must be a TableEnvironment, not 'tables'"):
        register_catalog(other, "ps", "/models")


def test_a_catalog_without_the_jar_says_how_to_get_it() -> None:
    code = """
import warnings; warnings.simplefilter("ignore")
from pyflink.table import EnvironmentSettings, TableEnvironment
import flink_ps
tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
try:
    flink_ps.register_catalog(tables, "ps", "/tmp/models")
except ValueError as e:
    print(e)
flink_ps.add_to(tables)
flink_ps.register_catalog(tables, "ps", "/tmp/models")
print(tables.list_catalogs())
"""
    why = "tables do not have the connector's jar: call flink_ps.add_to(tables) first"
    assert built.said(code) == f"{why}\n['default_catalog', 'ps']\n"


def test_what_java_throws_otherwise_stays_what_it_is() -> None:
    with pytest.raises(Py4JJavaError, match="NumberFormatException"), refusals():
        get_gateway().jvm.java.lang.Integer.parseInt("one")
