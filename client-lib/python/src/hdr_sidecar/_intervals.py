"""What a series recorded in some time: counts of buckets, with exact sum, minimum and maximum."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hdr_sidecar._layout import Layout


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A value that was recorded with a trace, and when, in milliseconds since the epoch."""

    value: int
    millis: int
    trace_id: str
    span_id: str


@dataclass(slots=True)
class Counts:
    """Buckets by the keys of their layout, and what is exact beside them. One thread at a time."""

    buckets: Counter[int] = field(default_factory=Counter)
    total: int = 0
    sum: int = 0
    smallest: int = 0
    largest: int = 0
    clamped_negative: int = 0
    clamped_too_large: int = 0
    not_numbers: int = 0
    exemplar: Exemplar | None = None

    def add(self, other: Counts) -> None:
        """Adds what another has, without loss."""
        if other.total:
            if self.total:
                self.smallest = min(self.smallest, other.smallest)
                self.largest = max(self.largest, other.largest)
                counts = self.buckets
                for key, count in other.buckets.items():
                    counts[key] += count
            else:
                self.smallest, self.largest = other.smallest, other.largest
                self.buckets = other.buckets.copy()
            self.total += other.total
            self.sum += other.sum
        self.clamped_negative += other.clamped_negative
        self.clamped_too_large += other.clamped_too_large
        self.not_numbers += other.not_numbers
        self.offer(other.exemplar)

    def offer(self, exemplar: Exemplar | None) -> None:
        """Keeps the exemplar of the larger value."""
        if exemplar is not None and (
            self.exemplar is None or exemplar.value >= self.exemplar.value
        ):
            self.exemplar = exemplar


def count(values: Sequence[object], layout: Layout, highest: int) -> Counts:
    """Sorts recorded values into buckets. Whatever they are, it does not fail."""
    try:
        total = sum(values)  # type: ignore[arg-type]
        if type(total) is int:  # then all of them are whole numbers
            return _count(values, layout, highest, total)  # type: ignore[arg-type]
    except Exception:  # of a class of somebody else's, anything may come
        return _count_odd(values, layout, highest)  # what is wrong with them is found one by one
    return _count_odd(values, layout, highest)


def _count(values: Sequence[int], layout: Layout, highest: int, total: int) -> Counts:
    smallest, largest = min(values), max(values)
    negative = too_large = 0
    if smallest < 0 or largest > highest:
        negative = sum(1 for value in values if value < 0)
        too_large = sum(1 for value in values if value > highest)
        values = [min(max(value, 0), highest) for value in values]
        smallest, largest, total = min(values), max(values), sum(values)
    buckets = Counter(layout.keys(values, largest))
    return Counts(buckets, len(values), total, smallest, largest, negative, too_large)


def _count_odd(values: Sequence[object], layout: Layout, highest: int) -> Counts:
    """Fractions are cut off; NaN and what is no number cannot be counted."""
    whole: list[int] = []
    wrong = 0
    for value in values:
        number = _whole(value, highest)
        if number is None:
            wrong += 1
        else:
            whole.append(number)
    counts = _count(whole, layout, highest, sum(whole)) if whole else Counts()
    counts.not_numbers = wrong
    return counts


def _whole(value: object, highest: int) -> int | None:
    try:
        if isinstance(value, (str, bytes, bytearray)):
            return None  # int("7") would take them
        try:
            return int(value)  # type: ignore[call-overload, no-any-return]
        except OverflowError:
            return highest + 1 if float(value) > 0 else -1  # type: ignore[arg-type]
    except Exception:  # of a class of somebody else's, anything may come
        return None


def missing(value: int, interval: int) -> int:
    """How many values a caller that starts each `interval` failed to record before this one."""
    return value // interval - 1 if interval > 0 and value >= 2 * interval else 0


def back_fill(target: Counts, layout: Layout, value: int, interval: int) -> None:
    """Adds value - interval, value - 2 intervals, ... down to one interval, a bucket at a time.

    Source: HdrHistogram, `AbstractHistogram.recordValueWithExpectedInterval`.
    """
    number = missing(value, interval)
    if not number:
        return
    first, last = value % interval + interval, value - interval
    added = Counts(total=number, smallest=first, largest=last)
    added.sum = (first + last) * number // 2
    at = first
    while at <= last:
        end = min(layout.highest_at(layout.index(at)), last)
        here = (end - at) // interval + 1
        added.buckets[layout.key(at)] += here
        at += here * interval
    target.add(added)


def is_whole(value: object) -> bool:
    """Whether it can be compared as a number that is not NaN."""
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
