"""What all algorithms share: options that are checked, and training.

Nothing here runs but in the program's own process and thread; what it makes are statements of SQL.
"""

import inspect
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from flink_ps import addresses
from flink_ps.checks import fits, in_sql, people, unknown
from flink_ps.flink import quoted_name
from flink_ps.options import JobOptions
from flink_ps.refusals import refusals
from flink_ps.statement import ALGORITHM, Place, columns, environment, pairs
from flink_ps.trained import TrainedModel

if TYPE_CHECKING:
    from pyflink.table import Table, TableResult

_OF_JOBS = frozenset(typing.get_type_hints(JobOptions))
_SCALED = "numeric_columns"
_REMOTE = "remote"
_TUNED = "tuned"
"""The option that names those which were found."""


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
        self._of_model = {ALGORITHM: self.name}
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
        place = self._place(table, model)
        return self._insert(table, place, "OVERWRITE" if overwrite else "INTO", self._of_jobs)

    @refusals()
    def tune(self, table: "Table", model: str) -> "TableResult":
        """Begins a job that finds options by the rows of a table, and makes the model if need be.

        Numbers are scaled to mean 0 and deviation 1. Linear models with adagrad get passes,
        mini-batches, a learning rate with its schedule, and l2. What is given stays. The options
        become those of the model's table, ``INSERT .. /*+ OPTIONS('tune' = 'true') */``.

        Args:
            table: Rows of a bounded input.
            model: As of :meth:`create`; one that was not trained yet.

        Returns:
            The job: ``wait()`` for its end.

        Raises:
            ValueError: As of :meth:`train`, and for a model that was trained.
        """
        place = self._place(table, model)
        return self._insert(table, place, "INTO", self._of_jobs | {"tune": "true"})

    def fit(self, table: "Table", model: str, *, tune: bool = True) -> "TrainedModel":
        """Trains a model from scratch, and waits until that is done.

        Args:
            table: Rows of a bounded input.
            model: As of :meth:`create`.
            tune: Whether :meth:`tune` finds options for it before, if it was not trained yet.

        Raises:
            ValueError: As of :meth:`train`, and for a row that is a bad one, naming it.
        """
        with refusals("io.github.flinkps."):
            place = self._place(table, model)
            trained = TrainedModel(environment(table), model)
            if tune and self._is_new(place, trained):
                self.tune(table, model).wait()
            self.train(table, model, overwrite=True).wait()
        return trained

    @staticmethod
    def _is_new(place: "Place", model: "TrainedModel") -> bool:
        """Whether nothing has trained a model yet, nor found options for it."""
        return _TUNED not in place.options() and not model.versions()

    def _place(self, table: "Table", model: str) -> "Place":
        """Where a model is, which is made if it is not there."""
        place = Place(environment(table), model)
        if place.is_there():
            self._check_definition(place)
        else:
            self.create(table, model)
        return place

    @staticmethod
    def _insert(
        table: "Table", place: "Place", how: str, options: Mapping[str, str]
    ) -> "TableResult":
        names = ", ".join(quoted_name(name) for name in place.columns())
        hint = f" /*+ OPTIONS({pairs(options)}) */" if options else ""
        statement = f"INSERT {how} {place.quoted}{hint} SELECT {names} FROM {table}"
        return environment(table).execute_sql(statement)

    def _check_definition(self, place: "Place") -> None:
        """That a model which is there is defined so, but for options of jobs, and found ones."""
        options = place.options()
        aside = {name.replace("_", "-") for name in _OF_JOBS}
        aside |= {_TUNED, *place.texts(options.get(_TUNED, ""))}
        there = {key: value for key, value in options.items() if key not in aside}
        if there != self._of_model:
            raise ValueError(
                f"model {place.name} is there, defined by {there}, not by {self._of_model}:"
                " drop it, or name another"
            )

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in sorted(self.options.items()))
        return f"{type(self).__name__}({given})"
