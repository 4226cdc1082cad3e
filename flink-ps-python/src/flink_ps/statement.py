"""Statements of SQL about models, and what a catalog knows of them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pandas as pd

from flink_ps.checks import must_be
from flink_ps.flink import quoted_name, text

if TYPE_CHECKING:
    from pyflink.table import Table, TableEnvironment

_MEASURES = "io.github.flinkps.flink.table.HeldPredictions.measure"
_MODULE = "io.github.flinkps.flink.table.module.PsModule"
ALGORITHM = "algorithm"
_ROOT = "model-root"
_OF_PLACE = frozenset(("connector", _ROOT, "model", "catalog-servers"))
"""Options that a catalog shows with those of a model: where it is."""


class Place:
    """Where a model is: a name in a catalog, and what that knows of it."""

    def __init__(self, tables: "TableEnvironment", name: str) -> None:
        from pyflink.table import TableEnvironment  # noqa: PLC0415 - optional

        must_be(tables, TableEnvironment, "what knows a model's catalog")
        must_be(name, str, "the name of a model")
        parts = name.split(".")
        if not 1 <= len(parts) <= 3 or not all(parts):
            raise ValueError(f"a model is named CATALOG.DATABASE.MODEL, not '{name}'")
        current = [tables.get_current_catalog(), tables.get_current_database()]
        self.catalog, self.database, self.model = current[: 3 - len(parts)] + parts
        self.name = f"{self.catalog}.{self.database}.{self.model}"
        self.quoted = ".".join(map(quoted_name, (self.catalog, self.database, self.model)))
        self._tables = tables
        found = tables._j_tenv.getCatalog(self.catalog)
        if not found.isPresent():
            raise ValueError(f"there is no catalog '{self.catalog}': flink_ps.register_catalog")
        self._catalog = found.get()
        if not self._catalog.getClass().getName().startswith("io.github.flinkps."):
            raise ValueError(f"catalog '{self.catalog}' has no models: flink_ps.register_catalog")

    def _path(self) -> Any:
        from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

        path = get_gateway().jvm.org.apache.flink.table.catalog.ObjectPath
        return path(self.database, self.model)

    def is_there(self) -> bool:
        """Whether there is such a model."""
        return bool(self._catalog.tableExists(self._path()))

    def make_database(self) -> None:
        """Makes its database where there is none."""
        database = f"{quoted_name(self.catalog)}.{quoted_name(self.database)}"
        self._tables.execute_sql(f"CREATE DATABASE IF NOT EXISTS {database}")

    def options(self) -> dict[str, str]:
        """Of its definition."""
        return {key: value for key, value in self._shown().items() if key not in _OF_PLACE}

    def _shown(self) -> dict[str, str]:
        """All options of its table."""
        return dict(self._catalog.getTable(self._path()).getOptions())

    def columns(self) -> list[str]:
        """Their names, in order."""
        schema = self._catalog.getTable(self._path()).getUnresolvedSchema()
        return [column.getName() for column in schema.getColumns()]

    def typed_columns(self) -> list[tuple[str, str]]:
        """Their names and types as SQL writes them, in order."""
        return columns(self._tables.from_path(self.quoted))

    def texts(self, listed: str) -> list[str]:
        """What a list of texts in an option means."""
        from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

        flink = get_gateway().jvm.org.apache.flink.configuration
        option = flink.ConfigOptions.key("texts").stringType().asList().noDefaultValue()
        configuration = flink.Configuration()
        configuration.setString("texts", listed)
        return [*configuration.get(option)]

    def measured(self, scores: bytes, labels: bytes, weights: bytes) -> dict[str, Any]:
        """The measures of predictions by name, as Java has them; float32 in little endian."""
        columns = [{"name": name, "type": kind} for name, kind in self.typed_columns()]
        definition = json.dumps({"format": 1, "columns": columns, "options": self.options()})
        return dict(_call(self._catalog, _MEASURES, definition, scores, labels, weights))

    def root(self) -> str:
        """The folder of the catalog's models, of a model that is there."""
        return self._shown()[_ROOT]

    @contextmanager
    def functions(self) -> Iterator[None]:
        """Lets statements find functions for the models of this catalog, whatever is loaded."""
        tables, name = self._tables, f"ps of {self.root()}"
        before = tables.list_modules()
        if name not in [module.name() for module in tables.list_full_modules()]:
            tables._j_tenv.loadModule(name, self._module())
        tables.use_modules(name, *(each for each in before if each != name))
        try:
            yield
        finally:
            tables.use_modules(*before)

    def _module(self) -> Any:
        from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

        java = get_gateway().jvm
        options = java.org.apache.flink.configuration.Configuration()
        options.setString(_ROOT, self.root())
        return _new(self._catalog, _MODULE, options)


def _new(beside: Any, name: str, *arguments: Any) -> Any:
    """An instance of a class of the connector, by the loader of what is of it already."""
    return _loaded(beside, name).getConstructors()[0].newInstance(_array(arguments))


def _call(beside: Any, name: str, *arguments: Any) -> Any:
    """Calls a static method, of which its class has one by the name."""
    class_name, _, method = name.rpartition(".")
    (found,) = [
        each for each in _loaded(beside, class_name).getMethods() if each.getName() == method
    ]
    return found.invoke(None, _array(arguments))


def _loaded(beside: Any, name: str) -> Any:
    return beside.getClass().getClassLoader().loadClass(name)


def _array(items: tuple[Any, ...]) -> Any:
    from pyflink.java_gateway import get_gateway  # noqa: PLC0415 - optional

    array = get_gateway().new_array(get_gateway().jvm.java.lang.Object, len(items))
    for place, item in enumerate(items):
        array[place] = item
    return array


def environment(table: "Table") -> "TableEnvironment":
    """Which a table is of.

    Raises:
        ValueError: If it is no table.
    """
    from pyflink.table import Table  # noqa: PLC0415 - optional

    if isinstance(table, pd.DataFrame):
        why = "what is trained on or scored must be a Table, not a DataFrame"
        raise ValueError(f"{why}: tables.from_pandas(frame) makes one")
    must_be(table, Table, "what is trained on or scored")
    return table._t_env


def columns(table: "Table") -> list[tuple[str, str]]:
    """Names and types of a table, as SQL writes them."""
    columns = table._j_table.getResolvedSchema().getColumns()
    return [
        (column.getName(), column.getDataType().getLogicalType().asSerializableString())
        for column in columns
    ]


def pairs(options: Mapping[str, str]) -> str:
    """Options as SQL writes them."""
    return ", ".join(f"{text(key)} = {text(value)}" for key, value in options.items())
