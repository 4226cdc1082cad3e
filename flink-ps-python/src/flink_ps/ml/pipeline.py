"""Pipelines of stages."""

from collections.abc import Sequence
from typing import Any, ClassVar

from flink_ps.checks import must_be
from flink_ps.ml import java
from flink_ps.ml.stage import Estimator, Stage, Transformer

_BUILDER = java.FLINK_ML + "builder."


class PipelineModel(Transformer):
    """Stages that transform tables, one after the other.

    Args:
        stages: Models, in order.

    Raises:
        ValueError: If one of them has to be trained first, or is no stage.
    """

    java_name: ClassVar[str] = _BUILDER + "PipelineModel"

    @java.refused()
    def __init__(self, stages: Sequence[Transformer]) -> None:
        self._java = _of_list(self, stages, Transformer)


class Pipeline(Estimator[PipelineModel]):
    """Stages of which those that are trained are, each on what those before it make of a table.

    Args:
        stages: Estimators and models, in order.

    Raises:
        ValueError: If one is no stage.
    """

    java_name: ClassVar[str] = _BUILDER + "Pipeline"

    @java.refused()
    def __init__(self, stages: Sequence[Stage]) -> None:
        self._java = _of_list(self, stages, Stage)


def _of_list(pipeline: Stage, stages: object, kind: type[Stage]) -> Any:
    """Java's pipeline of a list of stages of a kind."""
    name = type(pipeline).__name__
    if not isinstance(stages, Sequence):
        raise ValueError(f"the stages of a {name} must be a list of them, not {stages!r}")
    for stage in stages:
        must_be(stage, kind, f"a stage of a {name}")
    reflection = java.Reflection()
    found = reflection.jvm.java.util.ArrayList()
    for stage in stages:
        found.add(stage._java)
    return reflection.new(pipeline.java_name, found)
