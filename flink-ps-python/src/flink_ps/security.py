"""How a client knows servers, and how they know it."""

import hashlib
import os
import ssl
import warnings
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from flink_ps.errors import ErrorCode, PsError

File = str | PathLike[str]

_LEAST_TOKEN = 16
_MOST_TOKEN_LINE = 4096

# What certificates that the other end does not know are called by OpenSSL.
_UNTRUSTED = {
    "CERTIFICATE_VERIFY_FAILED": "tls_trust has not the authority of the server's certificate, or"
    " the server is reached by a name that it does not have",
    "TLSV1_ALERT_UNKNOWN_CA": "the server does not trust the authority of tls_certificate",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "the server asks for tls_certificate and tls_key",
}


@dataclass(frozen=True)
class Security:
    """Files of keys; all of them None: connections are in clear.

    They are read for each connection that is made, and so again when they have changed.

    Attributes:
        tls_trust: PEM file with the authorities by which servers are known.
        tls_certificate: PEM file with the certificate that is shown to servers.
        tls_key: PEM file with its private key.
        token_file: File with the line NAME:TOKEN that is shown to servers.
        pinned: SHA-256 fingerprints of certificates by which servers are known instead.
    """

    tls_trust: File | None = None
    tls_certificate: File | None = None
    tls_key: File | None = None
    token_file: File | None = None
    pinned: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.tls_trust is None and not self.pinned:
            for name in ("tls_certificate", "token_file"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} needs tls_trust too: it is shown to known servers")

    def context(self) -> ssl.SSLContext | None:
        """What encrypts a connection, or None if nothing does.

        Raises:
            ValueError: Naming the file that is wrong.
        """
        if self.tls_trust is None and not self.pinned:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        if self.pinned or self.tls_trust is None:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE  # check() looks at the certificate itself
        else:
            try:
                context.load_verify_locations(fspath(self.tls_trust))
            except OSError as e:
                raise ValueError(f"tls_trust {self.tls_trust}: {e}") from e
        if self.tls_certificate is not None and self.tls_key is not None:
            _load(context, self.tls_certificate, self.tls_key)
        return context

    def check(self, address: str, connection: ssl.SSLSocket) -> None:
        """Ends with an error unless a server that is known by its certificate has shown it.

        Raises:
            PsError: UNAUTHENTICATED.
        """
        if self.pinned:
            shown = connection.getpeercert(binary_form=True)
            if shown is None or hashlib.sha256(shown).hexdigest() not in self.pinned:
                why = "its certificate is not the one that its job has published"
                raise PsError(
                    ErrorCode.UNAUTHENTICATED, f"server {address}: TLS was refused: {why}"
                )

    def credential(self) -> bytes:
        """The line of the token file; empty without one.

        Raises:
            ValueError: Naming the file, if it cannot be read or has not one such line.
        """
        if self.token_file is None:
            return b""
        try:
            text = Path(self.token_file).read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as e:
            raise ValueError(f"token_file {self.token_file}: {e}") from e
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        if len(lines) != 1 or ":" not in lines[0]:
            raise ValueError(f"token_file {self.token_file} has not one line NAME:TOKEN")
        line = lines[0].encode()
        if len(lines[0].partition(":")[2]) < _LEAST_TOKEN or len(line) > _MOST_TOKEN_LINE:
            raise ValueError(
                f"token_file {self.token_file}: the token must have at least {_LEAST_TOKEN}"
                f" characters, and the line at most {_MOST_TOKEN_LINE} bytes"
            )
        _warn_if_others_read("token_file", self.token_file)
        return line


def _load(context: ssl.SSLContext, certificate: File, key: File) -> None:
    try:
        if "ENCRYPTED" in Path(key).read_text(errors="replace"):
            raise ValueError(f"tls_key {key} is encrypted: take one without a password")
        # With a password nobody is asked for one.
        context.load_cert_chain(fspath(certificate), fspath(key), password="")
    except OSError as e:
        raise ValueError(f"tls_certificate and tls_key {certificate} and {key}: {e}") from e
    _warn_if_others_read("tls_key", key)


def _warn_if_others_read(option: str, file: File) -> None:
    if os.name == "posix" and Path(file).stat().st_mode & 0o007:
        message = f"{option} {file} can be read by others: chmod 600 keeps it to its owner"
        warnings.warn(message, stacklevel=2)


IN_CLEAR = Security()


def refused(address: str, cause: OSError, security: Security) -> PsError | None:
    """The error of a connection that TLS ended; None if something else did."""
    if not isinstance(cause, ssl.SSLError) or isinstance(
        cause, ssl.SSLEOFError | ssl.SSLZeroReturnError
    ):
        return None
    if cause.reason == "WRONG_VERSION_NUMBER":
        message = f"server {address} does not speak TLS"
        if not security.pinned:
            advice = "remove tls_trust, or set tls-certificate and tls-key at the server"
            message = f"{message}, and tls_trust asks for it: {advice}"
        return PsError(ErrorCode.UNAUTHENTICATED, message)
    why = getattr(cause, "verify_message", None) or cause.reason or str(cause)
    if cause.reason in _UNTRUSTED:
        why = f"{why}: {_UNTRUSTED[cause.reason]}"
    return PsError(ErrorCode.UNAUTHENTICATED, f"server {address}: TLS was refused: {why}")
