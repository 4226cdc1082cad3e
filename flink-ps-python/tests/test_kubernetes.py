"""The manifests of examples/kubernetes: their schemas, and what runs with their arguments."""

import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
from ruamel.yaml import YAML

import built
import tables
from flink_ps import Client, ErrorCode, PsError, load_model

FOLDER = built.ROOT / "examples" / "kubernetes"
SCHEMAS = built.ROOT / "examples" / "target" / "kubernetes" / "META-INF" / "fabric8"
POD = "flink-ps-1"
NAMESPACE = "default"
NAME = f"{POD}.flink-ps.{NAMESPACE}.svc.cluster.local"


def manifests(name: str) -> list[Any]:
    return list(YAML(typ="safe").load_all((FOLDER / name).read_text()))


def manifest(file: str, kind: str) -> Any:
    (found,) = [each for each in manifests(file) if each["kind"] == kind]
    return found


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.glob("*.yaml")))
def test_schemas(name: str) -> None:
    for each in manifests(name):
        if each["apiVersion"].startswith("flink.apache.org/"):
            of_operator(each)
        else:
            kubernetes_validate.validate(each, "1.31", strict=True)


def of_operator(deployment: Any) -> None:
    file = SCHEMAS / "flinkdeployments.flink.apache.org-v1.yml"
    (version,) = YAML(typ="safe").load(file.read_text())["spec"]["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    jsonschema.validate(deployment, schema)
    unknown = dict(deployment["spec"]) | {"taskmanager": {}}
    known = schema["properties"]["spec"]["properties"]
    assert {key for key in unknown if key not in known} == {"taskmanager"}
    for part in ("job", "taskManager", "jobManager"):
        assert set(deployment["spec"][part]) <= set(known[part]["properties"])


def test_a_job_of_another_shape_is_noticed() -> None:
    job = manifest("job.yaml", "FlinkDeployment")
    job["spec"]["job"]["parallelism"] = "four"
    with pytest.raises(jsonschema.ValidationError):
        of_operator(job)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys as the page makes them, and besides for the address of tests."""
    (line,) = re.findall(r"bin/flink-ps (keys .*)", (FOLDER / "README.md").read_text())
    _, _, _, hosts, _, clients = [word.strip("'") for word in line.split()]
    folder = tmp_path_factory.mktemp("keys")
    built.run(
        "io.github.flinkps.cli.Main",
        *("keys", str(folder), "--hosts", f"{hosts},127.0.0.1", "--clients", clients),
    )
    (folder / "acl").write_text(manifest("servers.yaml", "ConfigMap")["data"]["acl"])
    (folder / "models").mkdir()
    return folder


def container() -> dict[str, Any]:
    pod = manifest("servers.yaml", "StatefulSet")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    return dict(container)


@pytest.fixture(scope="module")
def http_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@pytest.fixture(scope="module")
def server(keys: Path, http_port: str) -> Iterator[str]:
    """A server with the arguments of a pod, but for where it is."""
    paths = {"/keys/": f"{keys}/", "/rules/": f"{keys}/", "/models": f"{keys}/models"}
    arguments = []
    for argument in container()["args"]:
        text = argument.replace("$(POD)", POD).replace("$(NAMESPACE)", NAMESPACE)
        for mounted, here in paths.items():
            text = text.replace(f"={mounted}", f"={here}")
        arguments.append(text)
    assert "--host=0.0.0.0" in arguments
    arguments[arguments.index(f"--advertise={NAME}")] = "--advertise=127.0.0.1"
    arguments.remove("--port=7070")
    arguments[arguments.index("--http-port=9090")] = f"--http-port={http_port}"
    with built.server(*arguments) as (address, _):
        yield address


def connect(server: str) -> socket.socket:
    host, port = server.split(":")
    return socket.create_connection((host, int(port)), timeout=tables.SECONDS)


def test_the_certificate_has_the_names_of_pods(server: str, keys: Path) -> None:
    context = ssl.create_default_context(cafile=str(keys / "ca.pem"))
    for name, known in ((NAME, True), ("other.default.svc.cluster.local", False)):
        with connect(server) as plain:
            if known:
                context.wrap_socket(plain, server_hostname=name).close()
            else:
                with pytest.raises(ssl.SSLCertVerificationError):
                    context.wrap_socket(plain, server_hostname=name)


@pytest.mark.parametrize("probe", ["readinessProbe", "livenessProbe"])
def test_probes_find_a_server(server: str, http_port: str, probe: str) -> None:
    command = container()[probe]["exec"]["command"]
    assert command[:2] == ["bash", "-c"]
    for port, code in ((http_port, 0), ("1", 1)):
        asked = command[2].replace("/9090", f"/{port}")
        done = subprocess.run(["bash", "-c", asked], capture_output=True, timeout=60, check=False)
        assert done.returncode == code, done.stderr


def test_connections_that_say_nothing_harm_none(server: str, keys: Path) -> None:
    for _ in range(300):
        connect(server).close()
    time.sleep(0.1)
    with Client(server, tls_trust=keys / "ca.pem", token_file=keys / "search.token"):
        pass


def run(file: str, replaced: dict[str, str]) -> None:
    """Runs a job here with the arguments of a manifest, in which some are others."""
    job = manifest(file, "FlinkDeployment")["spec"]["job"]
    given = [str(argument) for argument in job["args"]]
    options = dict(zip(given[::2], given[1::2], strict=True))
    assert set(replaced) <= set(options)
    arguments = [word for pair in (options | replaced).items() for word in pair]
    built.run(job["entryClass"], *arguments)


def rows(folder: Path) -> dict[str, str]:
    file = folder / "rows.libsvm"
    file.write_text("".join(f"{row % 2} {row % 2}:1\n" for row in range(400)))
    return {
        "--input": str(file),
        "--model": str(folder / "clicks"),
        "--model-root": str(folder / "models"),
    }


def test_the_job_trains_on_the_servers(server: str, keys: Path, tmp_path: Path) -> None:
    here = rows(tmp_path)
    secured = {"--tls-trust": str(keys / "ca.pem"), "--token-file": str(keys / "ads.token")}
    run("job.yaml", here | secured | {"--remote": server})
    assert load_model(here["--model"]).table("weights").rows == 2
    reader = keys / "search.token"
    with Client(server, tls_trust=keys / "ca.pem", token_file=reader) as client:
        model = client.model("clicks")
        assert model.table("weights").pull([0, 1]).num_rows == 2
        with pytest.raises(PsError) as error:
            tables.create(client, "clicks", tables.spec("another"))
        assert error.value.code is ErrorCode.FORBIDDEN


def test_the_job_with_its_own_servers_trains(tmp_path: Path) -> None:
    here = rows(tmp_path)
    run("embedded-job.yaml", here)
    assert load_model(here["--model"]).table("weights").rows == 2
