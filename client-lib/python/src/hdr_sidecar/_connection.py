"""One connection with the sidecar: TCP, TLS or a Unix socket, never waiting but in `wait`."""

from __future__ import annotations

import codecs
import errno
import ipaddress
import selectors
import socket
import ssl
import threading
from collections.abc import Iterator

from hdr_sidecar._frames import Answer, Reader
from hdr_sidecar.config import Address, ClientConfig

_CHUNK = 1 << 16
# `getaddrinfo` asks for it. Found now, as a thread that looks for it at a fork, or at the end of
# the process, leaves it unknown for good.
codecs.lookup("idna")
# EAGAIN of a Unix socket: its queue is full, and the connection is not on its way.
_BUSY = (errno.EINPROGRESS, getattr(errno, "WSAEWOULDBLOCK", errno.EINPROGRESS))

SockAddress = tuple[int, object]
"""Family, and what `socket.connect` takes."""


class Lookup:
    """Asks for the addresses of a host, in a thread of its own, as that may take long."""

    def __init__(self, address: Address, attempt: int) -> None:
        self._address = address
        self._attempt = attempt
        self._result: SockAddress | OSError | None = None
        if address.scheme == "unix":
            self._result = (socket.AF_UNIX, address.host_or_path)
        elif _is_number(address.host_or_path):
            self._look_up()
        else:
            self._look_up_beside()

    def _look_up_beside(self) -> None:
        try:
            threading.Thread(target=self._look_up, name="hdr-sidecar-lookup", daemon=True).start()
        except RuntimeError:  # the process ends, and Python starts no thread any longer
            self._look_up()

    def _look_up(self) -> None:
        try:
            found = socket.getaddrinfo(
                self._address.host_or_path, self._address.port, type=socket.SOCK_STREAM
            )
            family, _, _, _, where = found[self._attempt % len(found)]
            self._result = (family, where)
        except (OSError, UnicodeError, LookupError) as error:
            self._result = OSError(f"cannot look up {self._address.host_or_path}: {error}")

    def result(self) -> SockAddress | None:
        """None while it is under way. Raises OSError when there is no such host."""
        if isinstance(self._result, OSError):
            raise self._result
        return self._result


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def tls_context(config: ClientConfig) -> ssl.SSLContext:
    """From the files as they are now. Raises OSError when one cannot be used."""
    context = ssl.create_default_context(
        cafile=None if config.tls_ca is None else str(config.tls_ca)
    )
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if config.tls_certificate is not None:
        context.load_cert_chain(config.tls_certificate, config.tls_key)
    return context


class Connection:
    """Raises OSError (also that of TLS) or ProtocolError when it is of no use any longer."""

    def __init__(self, where: SockAddress, address: Address, config: ClientConfig) -> None:
        family, target = where
        self._reader = Reader()
        self._out = bytearray()
        self._connecting = True
        self._shaking = False
        self._wants_write = True
        self._host = address.host_or_path
        self._tls = tls_context(config) if address.scheme == "tls" else None
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._socket.setblocking(False)
            if family != getattr(socket, "AF_UNIX", None):
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            code = self._socket.connect_ex(target)  # type: ignore[arg-type]
            if code and code not in _BUSY:
                raise OSError(code, f"{errno.errorcode.get(code, code)}: {address}")
        except BaseException:
            self.close()
            raise

    @property
    def file(self) -> socket.socket:
        """To wait for."""
        return self._socket

    @property
    def events(self) -> int:
        """What to wait for."""
        if self._connecting or (self._wants_write if self._shaking else bool(self._out)):
            return selectors.EVENT_WRITE | (0 if self._connecting else selectors.EVENT_READ)
        return selectors.EVENT_READ

    def establish(self) -> bool:
        """Goes on connecting when the socket is ready; returns whether frames may be sent."""
        if self._connecting:
            code = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if code:
                raise OSError(code, errno.errorcode.get(code, str(code)))
            try:
                self._socket.getpeername()
            except OSError as error:
                if error.errno == errno.ENOTCONN:
                    return False
                raise
            self._connecting = False
            if self._tls is not None:
                self._shaking = True
                self._socket = self._tls.wrap_socket(
                    self._socket, server_hostname=self._host, do_handshake_on_connect=False
                )
        if self._shaking and isinstance(self._socket, ssl.SSLSocket):
            try:
                self._socket.do_handshake()
            except ssl.SSLWantReadError:
                self._wants_write = False
                return False
            except ssl.SSLWantWriteError:
                self._wants_write = True
                return False
            self._shaking = False
        return True

    def send(self, data: bytes) -> None:
        """Keeps it to be written."""
        self._out += data

    def has_unwritten(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._out)

    def write(self) -> None:
        """Writes what the socket takes."""
        try:
            while self._out:
                written = self._socket.send(bytes(self._out[:_CHUNK]))
                del self._out[:written]
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return

    def read(self) -> Iterator[Answer]:
        """Frames that have come. At the end of the stream raises OSError."""
        while True:
            try:
                data = self._socket.recv(_CHUNK)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            if not data:
                raise ConnectionError("closed by the sidecar")
            yield from self._reader.feed(data)

    def close(self) -> None:
        """At once; never fails."""
        self._socket.close()
