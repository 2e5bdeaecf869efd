"""Frames as bytes. PROTOCOL.md draws them; its session is a test of this file."""

from __future__ import annotations

import enum
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hdr_sidecar._crc32c import crc32c
from hdr_sidecar._intervals import Exemplar
from hdr_sidecar.series import Labels, RecorderConfig, SeriesKey

VERSION = 1
OVERHEAD = 12
"""Bytes of a frame beside its body."""

_MAX_BODY = 1 << 17
"""The longest a sidecar has to say is REJECT, with a message of 64 KiB."""

REASONS = dict(
    enumerate(
        "bad_magic unsupported_version bad_header frame_too_large bad_crc unknown_frame"
        " unexpected_frame bad_frame unknown_series bad_series series_conflict configuration_limit"
        " bad_payload layout_mismatch count_mismatch count_overflow bad_time series_limit"
        " unauthorized replaced connection_limit idle series_forgotten memory_limit sequence_gap"
        " instance_limit".split(),
        1,
    )
)


class Kind(enum.IntEnum):
    """Types of frames."""

    HELLO = 1
    WELCOME = 2
    SERIES = 3
    INTERVAL = 4
    ACK = 5
    REJECT = 6
    GOODBYE = 7
    HEALTH = 8


class Scope(enum.IntEnum):
    """What a REJECT refuses."""

    CONNECTION = 0
    SERIES = 1
    INTERVAL = 2


class ProtocolError(Exception):
    """The other side said what it must not; the connection cannot be trusted any longer."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the sidecar has settled, and its limits."""

    settled: int
    max_body: int
    window: int
    level: int


@dataclass(frozen=True, slots=True)
class Ack:
    """All up to this number is settled."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Reject:
    """A connection, a series or an interval is refused."""

    scope: Scope
    reference: int
    code: int
    message: str

    @property
    def reason(self) -> str:
        """As the table of reasons names it."""
        return REASONS.get(self.code, "unknown")


Answer = Welcome | Ack | Reject


def frame(kind: Kind, body: bytes) -> bytes:
    """A whole frame."""
    start = struct.pack(">IBB", len(body), kind, 0)
    data = start + struct.pack(">H", crc32c(start) & 0xFFFF) + body
    return data + struct.pack(">I", crc32c(data))


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


def _labels(labels: Labels) -> bytes:
    texts = (_string(text) for pair in labels for text in pair)
    return struct.pack(">H", len(labels)) + b"".join(texts)


def hello(instance: bytes, common: Labels, token: str) -> bytes:
    """The client's name."""
    head = b"HDRS" + struct.pack(">H", VERSION) + instance
    return frame(Kind.HELLO, head + _labels(common) + _string(token))


def series(number: int, key: SeriesKey, config: RecorderConfig) -> bytes:
    """What an id stands for."""
    head = struct.pack(
        ">IBBqq", number, config.unit.code, config.digits, config.lowest, config.highest
    )
    body = head + _string(key.name) + _string(config.help) + _labels(key.labels)
    return frame(Kind.SERIES, body)


@dataclass(frozen=True, slots=True)
class Figures:
    """Times and exact figures of an interval; times in milliseconds since the epoch."""

    start: int
    end: int
    total: int
    sum: int
    smallest: int
    largest: int


INTERVAL_FIXED = 72
"""Bytes of the body of an INTERVAL in front of its payload."""


def interval(
    sequence: int, series_id: int, figures: Figures, payload: bytes, exemplar: Exemplar | None
) -> bytes:
    """What one series recorded in one interval."""
    head = struct.pack(
        ">qIqqqqQqqI", sequence, series_id, figures.start, figures.end, figures.total,
        figures.sum >> 64, figures.sum & (1 << 64) - 1, figures.smallest, figures.largest,
        len(payload),
    )  # fmt: skip
    return frame(Kind.INTERVAL, head + payload + extension(exemplar))


def extension(exemplar: Exemplar | None) -> bytes:
    """The exemplar behind the payload, if there is one."""
    if exemplar is None:
        return b""
    trace, span = exemplar.trace_id.encode("ascii"), exemplar.span_id.encode("ascii")
    body = struct.pack(">qqB", exemplar.value, exemplar.millis, len(trace)) + trace
    body += bytes([len(span)]) + span
    return struct.pack(">BH", 1, len(body)) + body


def health(figures: Mapping[str, int]) -> bytes:
    """The client's own figures."""
    pairs = (_string(name) + struct.pack(">q", value) for name, value in figures.items())
    return frame(Kind.HEALTH, struct.pack(">H", len(figures)) + b"".join(pairs))


def goodbye() -> bytes:
    """Nothing more will come."""
    return frame(Kind.GOODBYE, b"")


class Reader:
    """Takes bytes as they come and gives the frames of a sidecar. One connection."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Answer]:
        """The frames that are whole now. Raises ProtocolError for anything else."""
        buffer = self._buffer
        buffer += data
        while len(buffer) >= 8:
            length, kind, zero, check = struct.unpack_from(">IBBH", buffer)
            if zero != 0 or check != crc32c(bytes(buffer[:6])) & 0xFFFF:
                raise ProtocolError("header of a frame is damaged, or no sidecar answers here")
            if length > _MAX_BODY:
                raise ProtocolError(f"body of {length} bytes, at most {_MAX_BODY}")
            end = 8 + length
            if len(buffer) < end + 4:
                return
            if crc32c(bytes(buffer[:end])) != struct.unpack_from(">I", buffer, end)[0]:
                raise ProtocolError("a frame is damaged: CRC-32C")
            body = bytes(buffer[8:end])
            del buffer[: end + 4]
            yield _answer(kind, body)


def _answer(kind: int, body: bytes) -> Answer:
    try:
        if kind == Kind.WELCOME:
            version, settled, max_body, window, level = struct.unpack_from(">HqiiB", body)
            if version != VERSION or max_body < 1024 or window < 1 or level > 9 or settled < 0:
                raise ProtocolError(f"limits this client cannot keep: {body.hex()}")
            return Welcome(settled, max_body, window, level)
        if kind == Kind.ACK:
            return Ack(struct.unpack_from(">q", body)[0])
        if kind == Kind.REJECT:
            scope, reference, code, length = struct.unpack_from(">BqHH", body)
            message = body[13 : 13 + length].decode("utf-8", "replace")
            return Reject(Scope(scope), reference, code, message)
    except (struct.error, ValueError) as error:
        raise ProtocolError(f"frame of type {kind} is malformed: {error}") from None
    raise ProtocolError(f"the sidecar must not send a frame of type {kind}")
