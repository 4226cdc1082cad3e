"""What all algorithms share: options that are checked, training, and the models that come of it.

Nothing here runs but in the program's own process and thread; what it makes are statements of SQL.
"""

import inspect
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from flink_ps import addresses
from flink_ps.checks import fits, in_sql, people, unknown
from flink_ps.flink import quoted_name, text
from flink_ps.model import Model, load_model
from flink_ps.options import JobOptions
from flink_ps.paths import local_folder
from flink_ps.refusals import refusals
from flink_ps.statement import Place, columns, environment, pairs

if TYPE_CHECKING:
    from pyflink.table import Table, TableEnvironment, TableResult

_OF_JOBS = frozenset(typing.get_type_hints(JobOptions))
_SCALED = "numeric_columns"
_ALGORITHM = "algorithm"
_REMOTE = "remote"


class Algorithm:
    """An algorithm with its options, all of them by keyword.

    Attributes:
        name: The algorithm in SQL.
        options_of: What it takes, by name, with types.

    Raises:
        ValueError: For an option that is none, naming those there are, or of another type, and for
            servers that are no addresses or named twice.
    """

    name: ClassVar[str]
    options_of: ClassVar[type]

    def __init_subclass__(cls) -> None:
        """Adds the options to the documentation of the class."""
        super().__init_subclass__()
        known = typing.get_type_hints(cls.options_of, include_extras=True)
        lines = [f"    {name}: {hint.__metadata__[0]}" for name, hint in sorted(known.items())]
        cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__ or ""), "", "Args:", *lines])

    def __init__(self, given: Mapping[str, object]) -> None:
        known = typing.get_type_hints(self.options_of)
        self._of_model = {_ALGORITHM: self.name}
        self._of_jobs: dict[str, str] = {}
        for name, value in given.items():
            if name not in known:
                raise ValueError(unknown(name, self.name, sorted(known)))
            kind = known[name]
            if not fits(value, kind):
                why = f"must be {people(kind)}, not {value!r}"
                raise ValueError(f"option '{name}' of {self.name} {why}")
            if name == _REMOTE and value:
                addresses.checked(value, f"option '{name}' of {self.name}")
            if name == _SCALED:
                assert isinstance(value, Mapping)
                self._of_model |= {f"numeric.{column}": how for column, how in value.items()}
                continue
            options = self._of_jobs if name in _OF_JOBS else self._of_model
            options[name.replace("_", "-")] = in_sql(value)

    @property
    def options(self) -> dict[str, str]:
        """The options by their names in SQL."""
        return self._of_model | self._of_jobs

    @refusals()
    def create(self, table: "Table", model: str) -> None:
        """Makes the model's table, untrained, with the columns of a table.

        Args:
            table: Of rows like those that will train; all its columns but label and weight are
                features.
            model: ``CATALOG.DATABASE.MODEL``; parts on the left may be left out for the current
                ones. A database that is not there is made.

        Raises:
            ValueError: Where a definition is refused, or the model is there already.
        """
        tables = environment(table)
        place = Place(tables, model)
        declared = ", ".join(f"{quoted_name(name)} {kind}" for name, kind in columns(table))
        place.make_database()
        tables.execute_sql(f"CREATE TABLE {place.quoted} ({declared}) WITH ({pairs(self.options)})")

    @refusals()
    def train(self, table: "Table", model: str, *, overwrite: bool = False) -> "TableResult":
        """Begins a job that trains a model on a table, and makes the model where there is none.

        A model that is there goes on from its newest version, with the job's options of this
        algorithm. Columns are taken by their names.

        Args:
            table: Its rows; without end, or of a bounded input with ``epochs``.
            model: As of :meth:`create`.
            overwrite: Whether it begins from scratch, and is published at the end.

        Returns:
            The job: ``wait()`` for its end.

        Raises:
            ValueError: Where the statement is refused, or the model is defined otherwise.
        """
        tables = environment(table)
        place = Place(tables, model)
        if place.is_there():
            self._check_definition(place)
        else:
            self.create(table, model)
        names = ", ".join(quoted_name(name) for name in place.columns())
        hint = f" /*+ OPTIONS({pairs(self._of_jobs)}) */" if self._of_jobs else ""
        how = "OVERWRITE" if overwrite else "INTO"
        return tables.execute_sql(f"INSERT {how} {place.quoted}{hint} SELECT {names} FROM {table}")

    def fit(self, table: "Table", model: str) -> "TrainedModel":
        """Trains a model from scratch, and waits until that is done.

        Args:
            table: Rows of a bounded input.
            model: As of :meth:`create`.

        Raises:
            ValueError: As of :meth:`train`.
        """
        self.train(table, model, overwrite=True).wait()
        return TrainedModel(table._t_env, model)

    def _check_definition(self, place: "Place") -> None:
        """That a model which is there is of this definition, options of jobs aside."""
        jobs = {name.replace("_", "-") for name in _OF_JOBS}
        there = {key: value for key, value in place.options().items() if key not in jobs}
        if there != self._of_model:
            raise ValueError(
                f"model {place.name} is there, defined by {there}, not by {self._of_model}:"
                " drop it, or name another"
            )

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in sorted(self.options.items()))
        return f"{type(self).__name__}({given})"


class TrainedModel:
    """A model of a catalog that scores tables.

    Args:
        tables: That knows the catalog.
        model: ``CATALOG.DATABASE.MODEL``; parts on the left may be left out for the current ones.

    Raises:
        ValueError: If there is no such model.
    """

    @refusals()
    def __init__(self, tables: "TableEnvironment", model: str) -> None:
        self._tables = tables
        self._place = Place(tables, model)
        self._definition()

    def _definition(self) -> dict[str, str]:
        """Its options, of which tables that show what there is of a model have no algorithm."""
        options = self._place.options() if self._place.is_there() else {}
        if _ALGORITHM not in options:
            raise ValueError(f"there is no model {self._place.name}")
        return options

    @property
    @refusals()
    def features(self) -> list[str]:
        """The columns that it scores.

        Raises:
            ValueError: If the model is gone.
        """
        options = self._definition()
        aside = {options.get("label"), options.get("weight")}
        return [name for name in self._place.columns() if name not in aside]

    @refusals()
    def transform(self, table: "Table", prediction: str = "prediction") -> "Table":
        """A table with the score as a column more: DOUBLE, or an ARRAY where there are several.

        Args:
            table: That has the features, by name.
            prediction: Name of the new column.

        Raises:
            ValueError: Where a feature is missing or of another type, the column there already,
                or the model gone, or not trained: it has no version, and no job trains it now.
        """
        environment(table)
        wanted = self.features
        names = [name for name, _ in columns(table)]
        missing = [name for name in wanted if name not in names]
        if missing or prediction in names:
            raise ValueError(
                f"{self._place.name} needs {', '.join(wanted)} and makes {prediction}; the"
                f" table has {', '.join(names)}"
            )
        features = "".join(", " + quoted_name(name) for name in wanted)
        name = text(f"{self._place.database}.{self._place.model}")
        call = f"PS_PREDICT({name}{features})"
        with self._place.functions():
            return self._tables.sql_query(
                f"SELECT *, {call} AS {quoted_name(prediction)} FROM {table}"
            )

    @refusals()
    def load(self) -> Model:
        """The newest version.

        Raises:
            ValueError: If there is none, or the models are not in a folder of this machine.
        """
        self._definition()
        model = local_folder(self._place.root()) / self._place.database / self._place.model
        versions = sorted(folder for folder in model.glob("versions/*") if folder.name[0] != ".")
        if not versions:
            raise ValueError(f"model {self._place.name} has no version yet")
        return load_model(versions[-1])

    def __repr__(self) -> str:
        return f"TrainedModel({self._place.name})"
