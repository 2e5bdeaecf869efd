"""Spill files: what was not delivered by the end, for a sidecar to pick up. See PROTOCOL.md."""

from __future__ import annotations

import base64
import contextlib
import os
import stat
import time
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from hdr_sidecar._crc32c import crc32c
from hdr_sidecar._delivery import Interval
from hdr_sidecar._payload import compressed, is_compressed
from hdr_sidecar.recorder import Recorder
from hdr_sidecar.series import Labels, joined

_HEAD = b"""#[Histogram log format version 1.3]
#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]
#[BaseTime: 0.000 (seconds since epoch)]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
"""
_PART = 88
_TAG_SPECIAL = frozenset(',;={}~"')
_DEFINED = 100
"""Series defined at a time, so that a sidecar with little memory need not keep all."""


def _percent(text: str, special: frozenset[str] = frozenset()) -> str:
    return "".join(
        chr(byte) if 0x20 < byte < 0x7F and byte != 0x25 and chr(byte) not in special
        else f"%{byte:02x}"
        for byte in text.encode()
    )  # fmt: skip


def _comment(text: str, following: bytes = b"") -> bytes:
    start = f"{text} ".encode("ascii")
    return start + b"%08x\n" % crc32c(start + following) + following


def _in_parts(start: str, text: str) -> Iterator[bytes]:
    parts = [text[at : at + _PART] for at in range(0, len(text), _PART)]
    for number, part in enumerate(parts, 1):
        yield _comment(f"{start}{number:x} {len(parts):x} {part}")


def _thousandths(number: int) -> str:
    return f"{number // 1000}.{number % 1000:03d}"


def _series_text(recorder: Recorder, labels: Labels) -> str:
    config = recorder.config
    fields = [
        f"name={recorder.key.name}",
        f"unit={config.unit.symbol}",
        f"lowest={config.lowest}",
        f"digits={config.digits}",
        f"highest={config.highest}",
        f"created={recorder.created_millis}",
        f"help={_percent(config.help)}",
    ]
    return " ".join(fields + [f"label.{name}={_percent(value)}" for name, value in labels])


def _tag(name: str, labels: Labels) -> str:
    pairs = ";".join(f"{label}={_percent(value, _TAG_SPECIAL)}" for label, value in labels)
    return f"{name}{{{pairs}}}" if pairs else name


def _packed(payload: bytes, level: int) -> bytes:
    return payload if is_compressed(payload) else compressed(payload, level)


def _line(one: Interval, labels: Labels, level: int) -> bytes:
    figures, key = one.part.figures, one.series.recorder.key
    unit = one.series.recorder.config.unit.symbol
    shown = {"ns": figures.largest // 1000, "us": figures.largest}.get(unit, figures.largest * 1000)
    fields = (
        f"Tag={_tag(key.name, labels)}",
        _thousandths(figures.start),
        _thousandths(figures.end - figures.start),
        _thousandths(shown),
        base64.b64encode(_packed(one.part.payload, level)).decode(),
    )
    return (",".join(fields) + "\n").encode("ascii")


def lines(
    instance: bytes,
    common: Labels,
    intervals: Iterable[Interval],
    level: int = zlib.Z_DEFAULT_COMPRESSION,
) -> Iterator[bytes]:
    """What is in a file."""
    yield _HEAD
    yield _comment("#J 1 1")
    if common:
        yield from _in_parts("#C ", " ".join(f"label.{n}={_percent(v)}" for n, v in common))
    yield _comment(f"#I 1 {instance.hex()}")
    record = 0
    numbers: dict[Recorder, int] = {}
    last = 0
    for one in intervals:
        recorder = one.series.recorder
        labels = joined(recorder.key.labels, common)
        if recorder not in numbers:
            if len(numbers) == _DEFINED:
                yield _comment(f"#F {last + 1:x}")
                numbers.clear()
            last += 1
            numbers[recorder] = last
            yield from _in_parts(f"#S {last:x} ", _series_text(recorder, labels))
        record += 1
        figures = one.part.figures
        yield _comment(
            f"#R {record:x} {numbers[recorder]:x} 1 {one.sequence:x} {figures.sum:x}"
            f" {figures.smallest:x} {figures.largest:x}",
            _line(one, labels, level),
        )
    yield _comment(f"#E {record:x} {record:x}")


def write(folder: Path, instance: bytes, common: Labels, intervals: list[Interval]) -> Path:
    """Writes a file, waits for the disk, and gives it its name. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shown = sha256(instance).digest()[:16].hex()
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    complete = folder / f"spill-{stamp}-{shown}.hlog"
    temporary = complete.with_name(complete.name + ".tmp")
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as file:
            # For the group as well where the folder is: a sidecar may be of another user.
            if folder.stat().st_mode & stat.S_IWGRP:
                temporary.chmod(0o660)
            file.writelines(lines(instance, common, intervals))
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(complete)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise
    return complete
