"""PyFlink with the connector's jar."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, StreamTableEnvironment, TableEnvironment

from flink_ps import add_to, jar_path, register_catalog

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
