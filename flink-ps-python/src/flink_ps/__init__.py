"""The Python side of flink-ps, a sharded parameter server for Apache Flink.

``load_model`` reads a saved model, ``Client`` reads models in training from running servers,
``add_to`` puts the connector on the jobs of PyFlink. See docs/python.md of the project.
"""

from flink_ps.client import Client
from flink_ps.definition import Initializer, TableSpec, Update
from flink_ps.errors import ErrorCode, PsError
from flink_ps.flink import add_to, jar_path, register_catalog
from flink_ps.model import Model, ModelTable, load_model
from flink_ps.remote import RemoteModel, RemoteTable

__all__ = [
    "Client",
    "ErrorCode",
    "Initializer",
    "Model",
    "ModelTable",
    "PsError",
    "RemoteModel",
    "RemoteTable",
    "TableSpec",
    "Update",
    "add_to",
    "jar_path",
    "load_model",
    "register_catalog",
]
