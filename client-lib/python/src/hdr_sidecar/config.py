"""Settings of a client, from code or from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hdr_sidecar import _frames as frames
from hdr_sidecar._logs import logger
from hdr_sidecar.series import Labels, labels_of

_MAX_SOCKET_PATH = 107
_MAX_TOKEN = 4096
_MAX_HELLO = 4096
_DURATION = re.compile(r"(\d{1,9})(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Address:
    """Where the sidecar listens: `tcp://host:port`, `tls://host:port` or `unix:///path`."""

    text: str
    scheme: str
    host_or_path: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """Raises ValueError when it has none of these forms."""
        expected = ValueError(
            "address must be tcp://host:port, tls://host:port or unix:///path (at most"
            f" {_MAX_SOCKET_PATH} characters): {text}"
        )
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise expected from None
        if parts.query or parts.fragment or parts.username is not None:
            raise expected
        if parts.scheme in ("tcp", "tls") and parts.hostname and port and not parts.path:
            return cls(text, parts.scheme, parts.hostname, port)
        path = parts.path
        if parts.scheme == "unix" and not parts.netloc and 1 < len(path) <= _MAX_SOCKET_PATH:
            return cls(text, "unix", path, 0)
        raise expected

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientConfig:
    """Settings of a client. Checks itself; raises ValueError. Times are in seconds."""

    address: str = "tcp://127.0.0.1:9924"
    """`tcp://host:port`, `tls://host:port` or `unix:///path`."""
    enabled: bool = True
    """False: records and discards."""
    interval: float = 1.0
    """Time that an interval lasts, 0.01 to 3,600."""
    common_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that all series of this client have."""
    token: str | None = field(default=None, repr=False)
    """What the sidecar asks for, up to 4,096 characters."""
    token_file: Path | None = None
    """A file with the token, read for each connection."""
    tls_ca: Path | None = None
    """PEM file of who may vouch for the sidecar; None: whom the machine trusts."""
    tls_certificate: Path | None = None
    """PEM file of the client's certificate with its chain, read for each connection."""
    tls_key: Path | None = None
    """PEM file of its key."""
    spill_folder: Path | None = None
    """A folder for what is not delivered by the end, which a sidecar then picks up."""
    close_timeout: float = 2.0
    """How long `close` and the end of the process try to deliver, 0 to 600."""
    stall_timeout: float = 30.0
    """An answer owed for longer ends the connection, 0.1 to 3,600."""
    min_backoff: float = 0.1
    """First wait before connecting again."""
    max_backoff: float = 10.0
    """Longest wait before connecting again, up to 3,600."""
    max_series: int = 1000
    """Label sets above it share a series for each name, with `overflow="true"`; to 1,000,000."""

    def __post_init__(self) -> None:
        for path in ("token_file", "tls_ca", "tls_certificate", "tls_key", "spill_folder"):
            if getattr(self, path) is not None:  # may be given as str
                object.__setattr__(self, path, Path(getattr(self, path)))
        Address.parse(self.address)
        common = _common(self.common_labels)
        _within("interval", self.interval, 0.01, 3600)
        _within("close_timeout", self.close_timeout, 0, 600)
        _within("stall_timeout", self.stall_timeout, 0.1, 3600)
        _within("max_backoff", self.max_backoff, 0.001, 3600)
        _within("min_backoff", self.min_backoff, 0.001, self.max_backoff)
        _within("max_series", self.max_series, 1, 1_000_000)
        if self.token is not None and self.token_file is not None:
            raise ValueError("token and token_file: only one can be set")
        if self.token is not None and len(self.token) > _MAX_TOKEN:
            raise ValueError(f"token must have at most {_MAX_TOKEN} characters")
        try:
            hello = len(frames.hello(bytes(16), common, self.token or "")) - frames.OVERHEAD
        except UnicodeEncodeError:
            raise ValueError("token is not Unicode text") from None
        if hello > _MAX_HELLO:  # a sidecar that does not know this client may take no more
            raise ValueError(
                f"common labels and token must fit a HELLO of {_MAX_HELLO} bytes: {hello}"
            )
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key: must be set together")
        if self.address.startswith("tls:") is False and (self.tls_ca or self.tls_key):
            raise ValueError(f"tls_ca and tls_certificate are for tls://, not {self.address}")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, **settings: Any
    ) -> ClientConfig:
        """Reads the variables `HDR_SIDECAR_*`; what code sets goes before.

        An empty variable is the same as none. Raises ValueError that names all that are wrong; a
        variable whose name nearly is one of these is ignored with a warning.
        """
        source = os.environ if environment is None else environment
        unknown = settings.keys() - {one.name for one in fields(cls)}
        if unknown:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        for mistaken, meant in _mistakes(source):
            logger.warning("unknown variable %s is ignored: did you mean %s?", mistaken, meant)
        found: dict[str, Any] = {}
        problems: list[str] = []
        for variable, (setting, read) in _VARIABLES.items():
            text = source.get(variable, "").strip()
            if text and setting not in settings:
                try:
                    found[setting] = read(text)
                except ValueError as error:
                    problems.append(f"{variable}: {error}")
        if not problems:
            try:
                return cls(**{**found, **settings})
            except ValueError as error:
                problems.append(str(error))
        raise ValueError("environment of hdr-sidecar's client: " + "; ".join(problems))

    def current_token(self) -> str:
        """Raises OSError when its file cannot be read."""
        if self.token_file is not None:
            try:
                # Editors of Windows begin a file with a byte order mark; utf-8-sig drops it.
                return self.token_file.read_text("utf-8-sig").strip()[:_MAX_TOKEN]
            except UnicodeDecodeError as error:
                raise OSError(f"{self.token_file}: {error}") from None
        return self.token or ""


def _mistakes(environment: Iterable[str]) -> list[tuple[str, str]]:
    """Unknown variables, each with one of ours that differs in one place by two letters at most.

    None of the sidecar's own, which may stand there, too, is so near.
    """
    return [
        (mistaken, variable)
        for mistaken in environment
        if mistaken.startswith("HDR_SIDECAR_") and mistaken not in _VARIABLES
        for variable in _VARIABLES
        if _apart(mistaken, variable) <= 2
    ]


def _apart(one: str, other: str) -> int:
    """How many characters there are between the equal ones at the start and at the end."""
    start = len(os.path.commonprefix([one, other]))
    end = len(os.path.commonprefix([one[start:][::-1], other[start:][::-1]]))
    return max(len(one), len(other)) - start - end


def _common(labels: Mapping[str, str]) -> Labels:
    """Raises ValueError also for labels that tell series apart: they cannot be common to all."""
    for mark in ("corrected", "overflow"):
        if labels.get(mark):
            raise ValueError(f"common labels must not set {mark}, which tells series apart")
    return labels_of(labels)


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least} to {most}: {value}")


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"must be true or false: {text}")
    return text == "true"


def _duration(text: str) -> float:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(
            f"must be a whole number with a unit, such as 500ms, 10s, 1m or 1h: {text}"
        )
    return int(match[1]) * _SECONDS[match[2]]


def _labels(text: str) -> dict[str, str]:
    labels: dict[str, str] = {}
    for pair in text.split(","):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"must be name=value,name=value: {text}")
        if name.strip() in labels:
            raise ValueError(f"label name used twice: {name.strip()}")
        labels[name.strip()] = value.strip()
    labels_of(labels)
    return labels


def _address(text: str) -> str:
    return Address.parse(text).text


_VARIABLES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "HDR_SIDECAR_ADDRESS": ("address", _address),
    "HDR_SIDECAR_ENABLED": ("enabled", _truth),
    "HDR_SIDECAR_INTERVAL": ("interval", _duration),
    "HDR_SIDECAR_LABELS": ("common_labels", _labels),
    "HDR_SIDECAR_TOKEN": ("token", str),
    "HDR_SIDECAR_TOKEN_FILE": ("token_file", Path),
    "HDR_SIDECAR_TLS_CA": ("tls_ca", Path),
    "HDR_SIDECAR_TLS_CERTIFICATE": ("tls_certificate", Path),
    "HDR_SIDECAR_TLS_KEY": ("tls_key", Path),
    "HDR_SIDECAR_SPILL_FOLDER": ("spill_folder", Path),
}
