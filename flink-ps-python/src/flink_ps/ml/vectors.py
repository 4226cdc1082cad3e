"""Vectors of Flink ML and arrays, as PyFlink cannot collect vectors."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from flink_ps.ml import java

if TYPE_CHECKING:
    from pyflink.table import Table
    from pyflink.table.expression import Expression

_VECTOR = java.FLINK_ML + "linalg.Vector"
_TO_ARRAY = java.OURS + "VectorToArray"
_TO_VECTOR = java.OURS + "ArrayToVector"


def vector_to_array(column: "Expression") -> "Expression":
    """The numbers of a Vector, as an ARRAY<DOUBLE>, such as ``vector_to_array(col("v"))``.

    Raises:
        ValueError: If it is no expression.
    """
    return _call(_TO_ARRAY, column)


def array_to_vector(column: "Expression") -> "Expression":
    """An ARRAY of numbers as a dense Vector, whose places are the keys of features.

    Raises:
        ValueError: If it is no expression.
    """
    return _call(_TO_VECTOR, column)


def _call(name: str, column: "Expression") -> "Expression":
    from pyflink.table.expression import Expression  # noqa: PLC0415 - optional

    if not isinstance(column, Expression):
        raise ValueError(f"column must be an Expression such as col('features'), not {column!r}")
    return Expression(_java_call(java.Reflection(), name, column._j_expr_or_property_name))


def _java_call(reflection: "java.Reflection", name: str, column: Any) -> Any:
    api = reflection.jvm.org.apache.flink.table.api.Expressions
    arguments = reflection.array(reflection.jvm.java.lang.Object, column)
    return api.call(reflection.new(name), arguments)


def with_arrays(reflection: "java.Reflection", table: "Table", kept: Collection[str]) -> "Table":
    """A table with arrays for the vectors of its columns, but those that are kept."""
    from pyflink.table import Table  # noqa: PLC0415 - optional

    api = reflection.jvm.org.apache.flink.table.api.Expressions
    vector = reflection.type(_VECTOR)
    for column in table._j_table.getResolvedSchema().getColumns():
        name = column.getName()
        if name not in kept and vector.isAssignableFrom(column.getDataType().getConversionClass()):
            one = _java_call(reflection, _TO_ARRAY, getattr(api, "$")(name))
            expressions = reflection.array(
                reflection.jvm.org.apache.flink.table.expressions.Expression,
                getattr(one, "as")(name, reflection.array(reflection.jvm.java.lang.String)),
            )
            table = Table(table._j_table.addOrReplaceColumns(expressions), table._t_env)
    return table
