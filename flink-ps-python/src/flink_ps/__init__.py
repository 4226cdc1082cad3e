"""The Python side of flink-ps, a sharded parameter server for Apache Flink.

``load_model`` reads a saved model, ``Client`` reads models in training from running servers,
``add_to`` puts the connector on the jobs of PyFlink, ``LogisticRegression`` and the others train
models on its tables; ``flink_ps.ml`` has the stages of Flink ML. See docs/python.md of the project.
"""

from importlib.metadata import PackageNotFoundError, version

from flink_ps import algorithms
from flink_ps.addresses import training_servers
from flink_ps.algorithms import *  # noqa: F403
from flink_ps.client import Client
from flink_ps.definition import Initializer, TableSpec, Update
from flink_ps.errors import ErrorCode, PsError
from flink_ps.estimator import Algorithm
from flink_ps.features import feature_key
from flink_ps.flink import add_to, jar_path, register_catalog
from flink_ps.model import Model, ModelTable, load_model
from flink_ps.remote import RemoteModel, RemoteTable
from flink_ps.trained import TrainedModel

try:
    __version__ = version("flink-ps")
except PackageNotFoundError:  # the sources, which nothing has installed
    __version__ = "unknown"

__all__ = [
    "Algorithm",
    "Client",
    "ErrorCode",
    "Initializer",
    "Model",
    "ModelTable",
    "PsError",
    "RemoteModel",
    "RemoteTable",
    "TableSpec",
    "TrainedModel",
    "Update",
    "__version__",
    "add_to",
    "feature_key",
    "jar_path",
    "load_model",
    "register_catalog",
    "training_servers",
]
__all__ += algorithms.__all__
