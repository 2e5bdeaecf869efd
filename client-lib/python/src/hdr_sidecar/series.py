"""What series are called and measured in."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hdr_sidecar._layout import Layout

MAX_LABELS = 32
MAX_LENGTH = 1024
MAX_NAME = 200
_RESERVED = frozenset({"le", "quantile", "window", "job", "instance"})
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")

Labels = tuple[tuple[str, str], ...]
"""Names and values, sorted by name."""


class Unit(enum.Enum):
    """The unit of a series' values; the exposition has them in seconds or bytes."""

    NANOSECONDS = ("ns", 1)
    MICROSECONDS = ("us", 2)
    MILLISECONDS = ("ms", 3)
    SECONDS = ("s", 4)
    BYTES = ("bytes", 5)
    NONE = ("none", 6)

    @property
    def symbol(self) -> str:
        """As users write it: `ns`, `us`, `ms`, `s`, `bytes`, `none`."""
        return self.value[0]

    @property
    def code(self) -> int:
        """Its number on the wire."""
        return self.value[1]


def utf16_length(text: str) -> int:
    """The sidecar counts characters so."""
    return len(text) + sum(1 for c in text if ord(c) > 0xFFFF)


def _check_text(what: str, text: str) -> None:
    if utf16_length(text) > MAX_LENGTH:
        raise ValueError(f"{what} must have at most {MAX_LENGTH} characters: {text[:60]!r}...")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} is not Unicode text: it has half a surrogate pair") from None


def labels_of(mapping: Mapping[str, str]) -> Labels:
    """Checks and sorts labels. One with an empty value is the same as none.

    Raises ValueError for a name that Prometheus refuses or sets itself (`le`, `quantile`,
    `window`, `job`, `instance`), more than 32 labels, or more than 1,024 characters.
    """
    for name, value in mapping.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise ValueError(  # noqa: TRY004 - as for whatever else is wrong with labels
                f"names and values of labels must be str: {name!r}={value!r}"
            )
        if len(name) > MAX_LENGTH or name.startswith("__") or not _LABEL.fullmatch(name):
            raise ValueError(
                f"label name must match {_LABEL.pattern}, not start with __, and have at most"
                f" {MAX_LENGTH} characters: {name[:60]!r}"
            )
        if name in _RESERVED:
            raise ValueError(f"label name is reserved, choose another: {name}")
        _check_text(f"value of label {name}", value)
    labels = tuple(sorted((n, v) for n, v in mapping.items() if v))
    if len(labels) > MAX_LABELS:
        raise ValueError(f"at most {MAX_LABELS} labels, but there are {len(labels)}")
    return labels


def joined(labels: Labels, common: Labels) -> Labels:
    """Both together. Raises ValueError when they set a name to different values."""
    every = dict(common)
    for name, value in labels:
        if every.setdefault(name, value) != value:
            raise ValueError(f"label {name} is set twice: to {value} and to {every[name]}")
    return labels_of(every)


def overflow_labels(labels: Labels) -> Labels:
    """Those of the series that counts for label sets above a limit.

    It keeps the labels without which values would be added up that must not be.
    """
    every = dict(labels)
    kept = {"overflow": "true"}
    corrected = every.get("corrected", "")
    if corrected:
        kept["corrected"] = corrected if corrected == "expected_interval" else "other"
    if every.get("kind", "") in ("response", "service", "wait"):
        kept["kind"] = every["kind"]
    return labels_of(kept)


@dataclass(frozen=True, slots=True)
class RecorderConfig:
    """Range, precision and unit of a series. Checks itself; raises ValueError.

    Values are whole numbers from 0 to `highest`, at most 2^62; a value outside counts as the
    nearest end. `lowest` is the finest difference kept apart, `digits` the significant decimal
    digits, 0 to 5: each costs up to ten times the memory.
    """

    unit: Unit = Unit.NANOSECONDS
    lowest: int = 1
    highest: int = 3_600_000_000_000
    digits: int = 3
    help: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.unit, Unit):
            raise ValueError(f"unit must be a Unit: {self.unit!r}")  # noqa: TRY004
        for what in ("lowest", "highest", "digits"):
            # 1e12 is a float, which no frame can carry.
            if not isinstance(getattr(self, what), int):
                raise ValueError(  # noqa: TRY004
                    f"{what} must be a whole number (int): {getattr(self, what)!r}"
                )
        Layout(self.lowest, self.digits)
        if not 2 * self.lowest <= self.highest <= 1 << 62:
            raise ValueError(
                "highest trackable value must be at least twice the lowest discernible value"
                f" {self.lowest}, and at most 2^62: {self.highest}"
            )
        _check_text("help", self.help)


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """One name with one set of labels."""

    name: str
    labels: Labels

    def __post_init__(self) -> None:
        if len(self.name) > MAX_NAME or not _NAME.fullmatch(self.name):
            raise ValueError(
                f"series name must match {_NAME.pattern} and have at most {MAX_NAME} characters:"
                f" {self.name[:60]!r}"
            )

    def __str__(self) -> str:
        pairs = ",".join(f'{name}="{value}"' for name, value in self.labels)
        return f"{self.name}{{{pairs}}}" if pairs else self.name
