"""The client against servers that encrypt and ask who their clients are."""

import hashlib
import json
import shutil
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import built
import tables
from flink_ps import Client, ErrorCode, PsError, training_servers
from flink_ps.security import Security


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    built.run(
        "io.github.flinkps.cli.Main",
        *("keys", str(folder), "--hosts", "127.0.0.1", "--clients", "anna"),
    )
    return folder


@pytest.fixture(scope="module")
def address(keys: Path) -> Iterator[str]:
    with built.server(
        *("--tls-certificate", str(keys / "server.pem"), "--tls-key", str(keys / "server-key.pem")),
        *("--tls-trust", str(keys / "ca.pem"), "--token-file", str(keys / "tokens")),
    ) as (found, _):
        yield found


def read(client: Client, name: str) -> None:
    """Reads a table of its own, with answers in chunks."""
    tables.create(client, name, tables.spec("dense", size=700_001, width=4, partitions=7))
    rows = client.model(name).table("dense").pull(np.arange(700_001, dtype=np.int64))
    assert rows.num_rows == 700_001


def test_a_token_lets_in(address: str, keys: Path) -> None:
    with Client(
        address,
        timeout=tables.SECONDS,
        tls_trust=keys / "ca.pem",
        token_file=str(keys / "anna.token"),
    ) as client:
        read(client, "by-token")


def test_a_mark_of_byte_order_is_no_part_of_a_name(
    address: str, keys: Path, tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_bytes(b"\xef\xbb\xbf" + (keys / "anna.token").read_bytes())
    token.chmod(0o600)
    with Client(address, tls_trust=keys / "ca.pem", token_file=token) as client:
        read(client, "by-marked-token")


def test_a_certificate_lets_in(address: str, keys: Path) -> None:
    with Client(
        address,
        timeout=tables.SECONDS,
        tls_trust=keys / "ca.pem",
        tls_certificate=keys / "anna.pem",
        tls_key=keys / "anna-key.pem",
    ) as client:
        read(client, "by-certificate")


def refuse(
    address: str, message: str, trust: Path | None = None, token: Path | None = None
) -> None:
    with (
        pytest.raises(PsError, match=message) as error,
        Client(address, tls_trust=trust, token_file=token),
    ):
        pass
    assert error.value.code is ErrorCode.UNAUTHENTICATED


def test_who_is_not_known_is_told(address: str, keys: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("anna:0123456789abcdef\n")
    wrong.chmod(0o600)
    trust = keys / "ca.pem"
    refuse(address, "the token is not one that the server knows", trust, wrong)
    refuse(address, "set token-file", trust)
    refuse(address, "speaks TLS only")


def test_a_server_that_is_not_trusted_is_refused(
    address: str, addresses: list[str], keys: Path, tmp_path: Path
) -> None:
    built.run("io.github.flinkps.cli.Main", "keys", str(tmp_path))
    refuse(address, "TLS was refused.*: tls_trust has not the authority", tmp_path / "ca.pem")
    refuse(
        addresses[0],
        "does not speak TLS, and tls_trust asks for it: remove tls_trust, or set tls-certificate",
        keys / "ca.pem",
    )


def test_files_that_are_wrong_are_named(address: str, keys: Path, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no PEM")
    trust = keys / "ca.pem"
    with pytest.raises(ValueError, match=r"tls_trust .*text"):
        Client(address, tls_trust=text)
    with pytest.raises(ValueError, match=r"tls_certificate and tls_key .*text"):
        Client(address, tls_trust=trust, tls_certificate=text, tls_key=text)
    with pytest.raises(ValueError, match=r"token_file .*text has not one line"):
        Client(address, tls_trust=trust, token_file=text)
    with pytest.raises(ValueError, match=r"token_file .*none"):
        Client(address, tls_trust=trust, token_file=tmp_path / "none")
    for token in ("short", 5000 * "a"):
        text.write_text(f"anna:{token}")
        with pytest.raises(ValueError, match=r"token_file .*text: the token must have at least 16"):
            Client(address, tls_trust=trust, token_file=text)
    with pytest.raises(ValueError, match="tls_certificate and tls_key go together"):
        Security(tls_trust=trust, tls_key=text)
    with pytest.raises(ValueError, match="token_file needs tls_trust"):
        Security(token_file=text)


def test_secrets_that_others_read_are_warned_of(address: str, keys: Path, tmp_path: Path) -> None:
    trust = keys / "ca.pem"
    token = Path(shutil.copy(keys / "anna.token", tmp_path))
    key = Path(shutil.copy(keys / "anna-key.pem", tmp_path))
    token.chmod(0o644)
    key.chmod(0o604)
    with pytest.warns(UserWarning, match=r"token_file .*anna.token can be read by others"):
        Client(address, tls_trust=trust, token_file=token).close()
    certificate = keys / "anna.pem"
    with pytest.warns(UserWarning, match=r"tls_key .*anna-key.pem can be read by others"):
        Client(address, tls_trust=trust, tls_certificate=certificate, tls_key=key).close()
    encrypted = tmp_path / "encrypted.pem"
    encrypted.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    with pytest.raises(ValueError, match=r"tls_key .*encrypted.pem is encrypted: take one without"):
        Client(address, tls_trust=trust, tls_certificate=certificate, tls_key=encrypted)


def pin(certificate: Path) -> str:
    der = ssl.PEM_cert_to_DER_cert(certificate.read_text().split("-----END")[0] + ssl.PEM_FOOTER)
    return hashlib.sha256(der).hexdigest()


def test_a_server_of_a_job_is_known_by_what_the_job_has_published(
    address: str, keys: Path, tmp_path: Path
) -> None:
    token = keys / "anna.token"
    registry = tmp_path / "ads" / "ctr" / "registry"
    registry.mkdir(parents=True)
    running = [f"{address}#name!{'0' * 64}+{pin(keys / 'server.pem')}"]
    for run, expiry, servers in (
        ("running", 2, running),
        ("dead", 9, ["127.0.0.1:1#gone"]),  # of a machine whose clock is ahead
        ("ended", 3, []),
        ("private-x", 4, ["127.0.0.1:1#x"]),
    ):
        entry = {"run": run, "fence": 1, "addresses": servers, "expiryMillis": expiry}
        (registry / f"{run}.json").write_text(json.dumps(entry))
    (registry / "damaged.json").write_text("{")
    servers = training_servers(str(tmp_path), "ctr", "ads")
    assert servers == running
    with Client(servers, timeout=tables.SECONDS, token_file=token) as client:
        read(client, "by-pin")
    certificate, key = keys / "anna.pem", keys / "anna-key.pem"
    with Client(
        servers, timeout=tables.SECONDS, tls_certificate=certificate, tls_key=key
    ) as client:
        read(client, "by-pin-and-certificate")
    (registry / "running.json").unlink()
    assert training_servers(str(tmp_path), "ctr", "ads") == ["127.0.0.1:1#gone"]
    with pytest.raises(ValueError, match="no job trains model 'other'"):
        training_servers(str(tmp_path), "other")

    wrong = f"{address}#name!{'0' * 64}"
    with pytest.raises(PsError, match="not the one that its job has published") as error:
        Client(wrong, token_file=token)
    assert error.value.code is ErrorCode.UNAUTHENTICATED
    with pytest.raises(ValueError, match=r"set the job's option server-token-file"):
        Client(f"{address}#name", token_file=token)
    machine = socket.gethostname()
    with pytest.raises(PsError, match="cannot be reached"):
        Client(f"127.0.0.1:1#name@{machine}", token_file=token)
    with pytest.raises(ValueError, match=r"is on elsewhere\.example, out of reach"):
        Client(f"{address}#name@elsewhere.example")
