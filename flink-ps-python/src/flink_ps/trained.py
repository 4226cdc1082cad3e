"""Trained models of a catalog: what they predict, how well, and their versions."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from flink_ps.checks import must_be
from flink_ps.flink import quoted_name, text
from flink_ps.labels import places
from flink_ps.model import Model, load_model
from flink_ps.paths import local_folder
from flink_ps.refusals import refusals
from flink_ps.statement import ALGORITHM, Place, columns, environment

if TYPE_CHECKING:
    from pyflink.table import Table, TableEnvironment

_SCORE = "PS_PREDICT"
_LABEL = "PS_PREDICT_LABEL"
_NO_LABELS = "tells no labels apart"
_MARGINS = "linear-svm"
_ROW = "row of the frame"
_PREDICTION = "prediction"
_CONFUSION = "confusion"
_NUMBERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")
"""How types of numbers begin in SQL."""


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
        if ALGORITHM not in options:
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
    def transform(
        self, table: "Table", prediction: str = "prediction", label: str | None = None
    ) -> "Table":
        """A table with the score as a column more: DOUBLE, or an ARRAY where there are several.

        Args:
            table: That has the features, by name.
            prediction: Name of the new column.
            label: Name of one more column, of the likeliest label: as rows have it and of its
                type, for models that tell labels apart.

        Raises:
            ValueError: Where a feature is missing or of another type, the column there already,
                or the model gone, or not trained: it has no version, and no servers train it.
        """
        environment(table)
        wanted = self.features
        names = [name for name, _ in columns(table)]
        missing = [name for name in wanted if name not in names]
        added = {prediction: _SCORE} | ({} if label is None else {label: _LABEL})
        if missing or added.keys() & {*names} or label == prediction:
            made = prediction if label is None else f"{prediction} and {label}"
            raise ValueError(
                f"{self._place.name} needs {', '.join(wanted)} and makes {made}; the"
                f" table has {', '.join(names)}"
            )
        given = ", ".join([self._text(), *map(quoted_name, wanted)])
        calls = [f"{call}({given}) AS {quoted_name(name)}" for name, call in added.items()]
        with self._place.functions():
            return self._tables.sql_query(f"SELECT *, {', '.join(calls)} FROM {table}")

    def predict(self, rows: pd.DataFrame) -> npt.NDArray[Any]:
        """What the model predicts of each row of a frame, in order.

        Labels as the column of labels has them, or numbers where the model is one of numbers.

        Args:
            rows: That have the features, by name; other columns are not looked at.

        Raises:
            ValueError: As of :meth:`transform`, and for what is no frame.
        """
        try:
            return self._predictions(rows, _LABEL)
        except ValueError as e:
            if _NO_LABELS not in str(e):
                raise
            return self._predictions(rows, _SCORE)

    def predict_proba(self, rows: pd.DataFrame) -> npt.NDArray[np.float64]:
        """The probability of each label for each row of a frame: a column for each label.

        Columns stand in the order of ``label_values``, else of the numbers 0, 1, ..

        Raises:
            ValueError: As of :meth:`predict`, and where a model has no probabilities.
        """
        if not self.is_classifier or self._definition()[ALGORITHM] == _MARGINS:
            raise ValueError(f"{self._place.name} predicts no probabilities")
        scores = self._predictions(rows, _SCORE)
        if scores.dtype == object:
            return np.array([*scores], dtype=np.float64)
        return np.column_stack([1 - scores, scores])

    @property
    @refusals()
    def is_classifier(self) -> bool:
        """Whether it tells labels apart, instead of predicting numbers.

        Raises:
            ValueError: If the model is gone, or not trained.
        """
        kinds = dict(self._place.typed_columns())
        given = ", ".join(f"CAST(NULL AS {kinds[name]})" for name in self.features)
        try:
            with refusals(), self._place.functions():
                self._tables.sql_query(f"SELECT {_LABEL}({self._text()}, {given})")
        except ValueError as e:
            if _NO_LABELS not in str(e):
                raise
            return False
        return True

    def evaluate(self, rows: pd.DataFrame) -> dict[str, float]:
        """How well the model predicts the rows of a frame, which has the label, by measure.

        The measures of the algorithm, as ``flink-ps evaluate`` has them, such as ``accuracy`` and
        ``logloss``; of numbers ``r2`` too. Rows weigh what the column of weights says, where the
        model has one.

        Raises:
            ValueError: As of :meth:`predict`; also if the label or weight is missing, or a label
                is none of the model's.
        """
        found = self._measured(rows)
        found.pop(_CONFUSION, None)
        return found

    def confusion(self, rows: pd.DataFrame) -> pd.DataFrame:
        """How much the rows of each label weigh that are predicted to have which.

        Returns:
            A frame with a row for each label and a column for each prediction.

        Raises:
            ValueError: As of :meth:`evaluate`, and where a model learns numbers.
        """
        if not self.is_classifier:
            raise ValueError(f"{self._place.name} tells no labels apart")
        table = [[*row] for row in self._measured(rows)[_CONFUSION]]
        names = self._labels(self._definition()) or [*range(len(table))]
        return pd.DataFrame(table, pd.Index(names, name="label"), pd.Index(names, name=_PREDICTION))

    @refusals("java.lang.Illegal")
    def _measured(self, rows: pd.DataFrame) -> dict[str, Any]:
        options = self._definition()
        wanted = [options[name] for name in ("label", "weight") if name in options]
        if "label" not in options:
            raise ValueError(f"{self._place.name} learns no labels that rows could be measured by")
        must_be(rows, pd.DataFrame, "rows")
        if missing := [name for name in wanted if name not in rows]:
            raise ValueError(
                f"rows lack {', '.join(missing)}; they have {', '.join(map(str, rows))}"
            )
        label = rows[options["label"]].to_numpy()
        if self.is_classifier:
            label = places(label, self._labels(options), int(options.get("classes", 2)))
        weight = rows[options["weight"]] if len(wanted) > 1 else np.ones(len(rows))
        scores = self._predictions(rows, _SCORE)
        if scores.dtype == object:
            scores = np.array([*scores])
        return self._place.measured(*map(_float32, (scores, label, weight)))

    def score(self, rows: pd.DataFrame) -> float:
        """The accuracy of labels, or R2 of numbers, of a frame, as scikit-learn has them.

        Raises:
            ValueError: As of :meth:`evaluate`.
        """
        found = self.evaluate(rows)
        return found["accuracy"] if "accuracy" in found else found["r2"]

    @refusals()
    def versions(self) -> list[str]:
        """The versions there are, the oldest first.

        Raises:
            ValueError: If the model is gone.
        """
        self._definition()
        place = self._place
        shown = ".".join(
            map(quoted_name, (place.catalog, place.database, f"{place.model}$versions"))
        )
        with self._tables.execute_sql(f"SELECT version FROM {shown}").collect() as found:
            return sorted(str(row[0]) for row in found)

    @refusals()
    def drop(self) -> None:
        """Removes the model with all its versions.

        Raises:
            ValueError: If it is gone already.
        """
        self._definition()
        self._tables.execute_sql(f"DROP TABLE {self._place.quoted}")

    @refusals()
    def rename(self, name: str) -> None:
        """Gives the model another name within its database.

        Raises:
            ValueError: If the model is gone, or another one has the name.
        """
        self._definition()
        self._tables.execute_sql(f"ALTER TABLE {self._place.quoted} RENAME TO {quoted_name(name)}")
        self._place = Place(self._tables, f"{self._place.catalog}.{self._place.database}.{name}")

    def _labels(self, options: dict[str, str]) -> list[str] | None:
        """The texts of the labels in their order; None where they are numbers from 0 on."""
        given = options.get("label-values")
        return None if given is None else self._place.texts(given)

    def _text(self) -> str:
        """The model's name, as functions take it."""
        return text(f"{self._place.database}.{self._place.model}")

    @refusals()
    def _predictions(self, rows: pd.DataFrame, function: str) -> npt.NDArray[Any]:
        must_be(rows, pd.DataFrame, "rows")
        wanted = self.features
        if missing := [name for name in wanted if name not in rows]:
            why = f"{self._place.name} needs {', '.join(wanted)}"
            raise ValueError(f"{why}; the frame lacks {', '.join(missing)}")
        if rows.empty:
            return np.empty(0)
        # Cast to the types that the model has, and numbered, as tasks answer in any order.
        numbered = rows[wanted].assign(**{_ROW: np.arange(len(rows), dtype=np.int64)})
        kinds = dict(self._place.typed_columns())
        for name in wanted:
            if kinds[name].startswith(_NUMBERS):
                numbered[name] = _numbers(numbered[name], kinds[name])
        given = ", ".join(f"CAST({quoted_name(name)} AS {kinds[name]})" for name in wanted)
        call = f"{function}({self._text()}, {given})"
        table = self._tables.from_pandas(numbered)
        with self._place.functions():
            scored = self._tables.sql_query(
                f"SELECT {quoted_name(_ROW)}, {call} AS {_PREDICTION} FROM {table}"
            ).to_pandas()
        found: npt.NDArray[Any] = scored.sort_values(_ROW)[_PREDICTION].to_numpy()
        return found

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


def _float32(numbers: Any) -> bytes:
    """Numbers as Java reads them."""
    return np.asarray(numbers, dtype="<f4").tobytes()


def _numbers(column: "pd.Series[Any]", kind: str) -> "pd.Series[Any]":
    """A column of numbers.

    Raises:
        ValueError: Naming the column, and what in it is none.
    """
    try:
        return pd.to_numeric(column)
    except (TypeError, ValueError) as e:
        raise ValueError(f"feature '{column.name}' must be {kind}: {e}") from None
