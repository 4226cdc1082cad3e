"""Serves S3 on loopback, one request at a time: moto's answers to two at a time get mixed."""

import sys

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app))
