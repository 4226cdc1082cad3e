"""Flink ML's estimators, models and pipelines for the algorithms, of Java's stages beneath.

``LogisticRegression().set_max_iter(5).fit(table)`` and so on; an estimator, its Online form and its
model for each algorithm, and evaluators. The builders of the same names in ``flink_ps`` train
models of catalogs by SQL. See docs/python.md of the project.
"""

from flink_ps.ml import algorithms
from flink_ps.ml.algorithms import *  # noqa: F403
from flink_ps.ml.java import jar_paths
from flink_ps.ml.pipeline import Pipeline, PipelineModel
from flink_ps.ml.stage import Estimator, Evaluator, Model, Stage, Transformer
from flink_ps.ml.vectors import array_to_vector, vector_to_array

__all__ = [
    "Estimator",
    "Evaluator",
    "Model",
    "Pipeline",
    "PipelineModel",
    "Stage",
    "Transformer",
    "array_to_vector",
    "jar_paths",
    "vector_to_array",
]
__all__ += algorithms.__all__
