"""What the stages of a pipeline share. Each holds one of Java's, which does all the work."""

import re
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

from flink_ps import addresses
from flink_ps.checks import fits, people, unknown
from flink_ps.ml import java
from flink_ps.ml.vectors import with_arrays
from flink_ps.options import Names
from flink_ps.refusals import causes

if TYPE_CHECKING:
    from pyflink.table import StreamTableEnvironment, Table

_KINDS: dict[str, Any] = {
    "Integer": int,
    "Long": int,
    "Double": float,
    "String": str,
    "Boolean": bool,
    "String[]": Names,
}
_BITS = {"Integer": 31, "Long": 63}
_OF_ANOTHER_CLASS = ("java.lang.ClassCastException", "java.lang.RuntimeException")
_REMOTE = "remote"
LABEL_VALUES = "labelValues"
"""Java's param of texts that takes numbers here, too."""
_PARAM = java.FLINK_ML + "param.Param"
_WITH_PARAMS = java.FLINK_ML + "param.WithParams"
_ESTIMATOR = java.FLINK_ML + "api.Estimator"
_ALGORITHM = java.FLINK_ML + "api.AlgoOperator"
_MODEL = java.FLINK_ML + "api.Model"


class Stage:
    """A stage of Flink ML.

    Attributes:
        java_name: Its class in Java.
    """

    java_name: ClassVar[str]
    _known: ClassVar[dict[str, type["Stage"]]] = {}
    _java: Any

    def __init_subclass__(cls) -> None:
        """Makes it known as what Java's class is in Python."""
        super().__init_subclass__()
        if "java_name" in cls.__dict__:
            Stage._known[cls.java_name] = cls

    @classmethod
    @java.refused()
    def load(cls, tables: "StreamTableEnvironment", path: str | Path) -> Self:
        """A stage that was saved.

        Args:
            tables: Where the data of a model become a table.
            path: What :meth:`save` was given.

        Raises:
            ValueError: If nothing of this class was saved there.
        """
        from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - optional

        _must_be_path(path)
        java.prepared(tables)
        try:
            found = java.Reflection().load(cls.java_name, tables, path)
        except Py4JJavaError as e:
            kind, why = [*causes(e)][-1]
            if kind not in _OF_ANOTHER_CLASS:
                raise
            raise ValueError(f"what is saved in {path} is no {cls.__name__}: {why}") from None
        return cls._of(found, tables)

    @java.refused()
    def save(self, path: str | Path) -> None:
        """Saves it in a folder that does not exist: params now, models in the job that runs next.

        Raises:
            ValueError: If there is such a folder, or a model has no data.
        """
        _must_be_path(path)
        reflection = java.Reflection()
        save = reflection.method(java.FLINK_ML + "api.Stage", "save", java.TEXT)
        reflection.call(save, self._java, str(path))

    @classmethod
    def _of(cls, found: Any, tables: Any = None) -> Self:
        """Java's stage as one of Python."""
        made = cls.__new__(cls)
        made._java = found
        made._belongs_to(tables)
        return made

    def _belongs_to(self, tables: Any) -> None:
        """Takes the environment where it was made."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Params(Stage):
    """A stage that has params."""

    @java.refused()
    def __init__(self) -> None:
        self._java = java.Reflection().new(self.java_name)

    def get_params(self) -> dict[str, Any]:
        """All params by their names in Python, ``max_iter`` for Java's ``maxIter``."""
        return {snake(name): self._get(name) for name in self._names()}

    def set_params(self, **values: object) -> Self:
        """Sets several params by their names in Python; None unsets one that has no default.

        Raises:
            ValueError: For a param that is none, naming those there are, and for a value that is
                of another type or that the param refuses; those named before it are set.
        """
        names = {snake(name): name for name in self._names()}
        for name, value in values.items():
            if name not in names:
                raise ValueError(unknown(name, type(self).__name__, sorted(names), "param"))
            self._set(names[name], value)
        return self

    def _names(self) -> list[str]:
        reflection = java.Reflection()
        params = reflection.call(reflection.method(_WITH_PARAMS, "getParamMap"), self._java)
        field = reflection.type(_PARAM).getField("name")
        return sorted(field.get(param) for param in params)

    def _get(self, name: str) -> Any:
        reflection = java.Reflection()
        get = reflection.method(_WITH_PARAMS, "get", _PARAM)
        value = reflection.call(get, self._java, self._param(reflection, name))
        is_list = value is not None and not isinstance(value, bool | int | float | str)
        return [*value] if is_list else value

    @java.refused()
    def _set(self, name: str, value: object) -> Self:
        if name == LABEL_VALUES:
            value = _named(value)
        reflection = java.Reflection()
        param = self._param(reflection, name)
        kind = reflection.type(_PARAM).getField("clazz").get(param).getSimpleName()
        self._check(name, value, kind)
        arguments = reflection.array(reflection.jvm.java.lang.Object, param, None)
        boxes = reflection.boxed(
            kind, float(cast(float, value)) if _is_float(kind, value) else value
        )
        reflection.jvm.java.lang.System.arraycopy(boxes, 0, arguments, 1, 1)
        reflection.method(_WITH_PARAMS, "set", _PARAM, "java.lang.Object").invoke(
            self._java, arguments
        )
        return self

    def _param(self, reflection: java.Reflection, name: str) -> Any:
        get = reflection.method(_WITH_PARAMS, "getParam", java.TEXT)
        return reflection.call(get, self._java, name)

    def _check(self, name: str, value: object, kind: str) -> None:
        """Before Java's own checks, which know the value itself but not Python's types."""
        if value is None:
            return
        said = f"param '{snake(name)}' of {type(self).__name__} must be {people(_KINDS[kind])}"
        if not fits(value, _KINDS[kind]):
            raise ValueError(f"{said}, not {value!r}")
        if name == _REMOTE and value:
            addresses.checked(value, f"param '{name}' of {type(self).__name__}")
        bits = _BITS.get(kind)
        if bits and not -(1 << bits) <= cast(int, value) < 1 << bits:
            raise ValueError(f"{said} of {bits + 1} bits, not {value!r}")

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({given})"


class Transformer(Stage):
    """A stage that makes tables of tables."""

    @java.refused()
    def transform(self, *inputs: "Table") -> "list[Table]":
        """Tables with what it adds; columns of vectors that are new come as ARRAY<DOUBLE>.

        Raises:
            ValueError: Where a column is missing, of another type, or there already.
        """
        from pyflink.table import Table  # noqa: PLC0415 - optional

        tables = java.environment(*inputs)
        reflection = java.Reflection()
        transform = reflection.method(_ALGORITHM, "transform", java.TABLES)
        before = {name for table in inputs for name in table.get_schema().get_field_names()}
        made = reflection.call(transform, self._java, reflection.tables(inputs))
        return [with_arrays(reflection, Table(table, tables), before) for table in made]


class Evaluator(Transformer):
    """A stage that makes a table of measures of a table of predictions."""


class Model(Transformer):
    """What was trained; of one that was fitted, rows are read in each job that needs the model."""

    _tables: Any = None

    @java.refused()
    def get_model_data(self) -> "list[Table]":
        """One table, with a row for every version: path, version and checksum.

        Raises:
            ValueError: If it has none.
        """
        from pyflink.table import Table  # noqa: PLC0415 - optional

        reflection = java.Reflection()
        found = reflection.call(reflection.method(_MODEL, "getModelData"), self._java)
        return [Table(table, self._tables) for table in found]

    @java.refused()
    def set_model_data(self, *inputs: "Table") -> Self:
        """Takes the model that the rows of a table of :meth:`get_model_data` name.

        Raises:
            ValueError: If the table has other columns.
        """
        self._tables = java.environment(*inputs)
        reflection = java.Reflection()
        change = reflection.method(_MODEL, "setModelData", java.TABLES)
        reflection.call(change, self._java, reflection.tables(inputs))
        return self

    def _belongs_to(self, tables: Any) -> None:
        self._tables = tables


M = TypeVar("M", bound=Transformer)


class Estimator(Stage, Generic[M]):
    """A stage that is trained."""

    @java.refused()
    def fit(self, *inputs: "Table") -> M:
        """Adds the training to the program's jobs: each that needs the model trains it.

        Raises:
            ValueError: Naming the param, column or option that is wrong; also for a table without
                end, but of an Online estimator.
        """
        tables = java.environment(*inputs)
        reflection = java.Reflection()
        fit = reflection.method(_ESTIMATOR, "fit", java.TABLES)
        made = reflection.call(fit, self._java, reflection.tables(inputs))
        return cast(M, Stage._known[made.getClass().getName()]._of(made, tables))


def snake(name: str) -> str:
    """A name of Java as Python has it."""
    return re.sub("([A-Z])", r"_\1", name).lower()


def _named(values: object) -> object:
    """Labels whose numbers are texts."""
    if not isinstance(values, list | tuple):
        return values
    return [
        str(value) if isinstance(value, Real) and not isinstance(value, bool) else value
        for value in values
    ]


def _is_float(kind: str, value: object) -> bool:
    return kind == "Double" and value is not None


def _must_be_path(path: object) -> None:
    if not isinstance(path, str | Path) or not str(path):
        raise ValueError(f"path must be a text or a Path, and not empty, not {path!r}")
