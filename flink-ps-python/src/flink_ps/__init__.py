"""The Python side of flink-ps, a sharded parameter server for Apache Flink.

``load_model`` reads a saved model.
"""

from flink_ps.definition import Initializer, TableSpec, Update
from flink_ps.model import Model, ModelTable, load_model

__all__ = [
    "Initializer",
    "Model",
    "ModelTable",
    "TableSpec",
    "Update",
    "load_model",
]
