"""A client that reads models in training from running servers."""

from collections.abc import Iterator, Sequence
from types import TracebackType

from flink_ps import addresses, wire
from flink_ps.checks import fits, must_be
from flink_ps.definition import Initializer, TableSpec, Update
from flink_ps.errors import ErrorCode, PsError
from flink_ps.pool import Pool
from flink_ps.remote import Host, RemoteModel
from flink_ps.security import File, Security
from flink_ps.wire import Api, Deadline

_INITIALIZERS = ("zero", "constant", "uniform", "normal")


class Client:
    """Reads tables from one or more servers, without taking part in training.

    Several servers are named in the order in which the job that trains the model names them, as
    their order decides which rows each one has.

    Connects at once; connections that were lost are made again by the next call. One thread at a
    time. Close it, or use it in a ``with`` statement.

    Args:
        servers: ``host:port``, several separated by commas, or a sequence of them; also what
            :func:`training_servers` has found.
        timeout: Seconds after which a call gives up, unless the call has its own.
        peer_timeout: Seconds after which a call gives a server up that says nothing, though it is
            asked, as when its machine has lost its power or cable.
        max_frame_bytes: Largest answer that is taken.
        tls_trust: PEM file with the authorities by which servers are known; they are reached by
            TLS then.
        tls_certificate: PEM file with the certificate that is shown to servers.
        tls_key: PEM file with the private key of that certificate.
        token_file: File with the line NAME:TOKEN that is shown to servers in place of a
            certificate. Servers inside a job are known by what the job has published.

    Raises:
        ValueError: If an address is none or named twice, for a time or size that is none, and
            naming a file of keys that is wrong.
        PsError: DISCONNECTED if a server cannot be reached, UNAUTHENTICATED if one end does not
            trust the other.
    """

    def __init__(  # noqa: PLR0913 - named, with defaults
        self,
        servers: str | Sequence[str],
        *,
        timeout: float = 10.0,
        peer_timeout: float = wire.PEER_TIMEOUT,
        max_frame_bytes: int = 256 << 20,
        tls_trust: File | None = None,
        tls_certificate: File | None = None,
        tls_key: File | None = None,
        token_file: File | None = None,
    ) -> None:
        names = servers.split(",") if isinstance(servers, str) else servers
        if isinstance(names, Sequence):
            names = [name.strip() if isinstance(name, str) else name for name in names]
        if not fits(max_frame_bytes, int) or max_frame_bytes < wire.HEADER.size:
            least = f"a whole number of at least {wire.HEADER.size}"
            raise ValueError(f"max_frame_bytes must be {least}, not {max_frame_bytes!r}")
        wire.checked_peer_timeout(peer_timeout)
        deadline = Deadline(timeout)
        pinned: set[str] = set()
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            found = [addresses.reached(name) for name in names]
            names = [each.place for each in found]
            pinned.update(*(each.pins for each in found))
            if found and all(each.is_local for each in found):
                token_file = None  # such servers ask nobody
        security = Security(tls_trust, tls_certificate, tls_key, token_file, frozenset(pinned))
        checked = addresses.checked(names, "servers")
        self._pool = Pool(checked, timeout, max_frame_bytes, security, peer_timeout)
        try:
            for server in range(len(self._pool.servers)):
                self._pool.control(server, deadline)
        except BaseException:
            self.close()
            raise

    def model(self, name: str, *, timeout: float | None = None) -> RemoteModel:
        """The model of that name, as it is defined now.

        Raises:
            ValueError: If the name is no text, or the time none.
            PsError: UNKNOWN_MODEL if a server has none, CONFLICTING_DEFINITION if the job that
                trains it names other servers, or in another order.
        """
        must_be(name, str, "the name of a model")
        deadline = self._pool.deadline(timeout)
        hosts = [self._host(name, server, deadline) for server in range(len(self._pool.servers))]
        return RemoteModel(self._pool, name, hosts)

    def models(self, *, timeout: float | None = None) -> list[str]:
        """The names of the models that every server has and lets this client read, in order.

        Raises:
            ValueError: If the time is none.
            PsError: What servers answer.
        """
        deadline = self._pool.deadline(timeout)
        servers = range(len(self._pool.servers))
        found = [set(self._listed(server, deadline)) for server in servers]
        return sorted(set.intersection(*found))

    def _listed(self, server: int, deadline: Deadline) -> Iterator[str]:
        """What a server says that it has, page by page."""
        last, more = "", True
        while more:
            after = wire.Writer().string(last).finish()
            page = self._pool.control(server, deadline).ask(Api.LIST_MODELS, after, deadline)
            answer = page.reader()
            more, count = answer.unpack("ii")
            if more and count < 1:
                raise wire.malformed("a page without names that is not the last")
            for _ in range(count):
                last = answer.string()
                yield last

    def _host(self, name: str, server: int, deadline: Deadline) -> Host:
        """What a server has of a model."""
        control = self._pool.control(server, deadline)
        model = wire.Writer().string(name).finish()
        listed = control.ask(Api.LIST_TABLES, model, deadline).reader()
        names = [listed.string() for _ in range(listed.unpack("i")[0])]
        # Not before, as it would make a model; nor later, or the tables may be of an older one.
        session = self._pool.session(name, server, deadline)
        tables = {}
        for table in names:
            question = wire.Writer().string(name).string(table).finish()
            try:
                answer = control.ask(Api.DESCRIBE_TABLE, question, deadline).reader()
            except PsError as e:
                if e.code is not ErrorCode.UNKNOWN_TABLE:  # it has just been dropped
                    raise
            else:
                tables[table] = _read_table(answer)
        return Host(control.address, control.server, control.owners, session, tables)

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._pool.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _read_table(answer: wire.Reader) -> tuple[int, TableSpec]:
    number, _ = answer.unpack("ii")  # the other: what its updates take of a push
    name = answer.string()
    size, key_bits, width, partitions, seed, kind, a, b = answer.unpack("qiiiqiff")
    if not 0 <= kind < len(_INITIALIZERS) or width < 1 or partitions < 1:
        raise wire.malformed(f"a definition of table '{name}'")
    update = answer.string()
    (count,) = answer.unpack("i")
    options = {answer.string(): answer.unpack("d")[0] for _ in range(count)}
    spec = TableSpec(
        name=name,
        size=size,
        key_bits=key_bits,
        width=width,
        partitions=partitions,
        initializer=Initializer(_INITIALIZERS[kind], a, b),
        update=Update(update, options),
        seed=seed,
    )
    return number, spec
