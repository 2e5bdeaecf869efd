"""Intervals as HdrHistogram payloads (V2), whole or in parts that fit a frame."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hdr_sidecar._frames import INTERVAL_FIXED, Figures, extension
from hdr_sidecar._intervals import Counts, Exemplar
from hdr_sidecar._layout import Layout

_RAW = 0x1C849313
_COMPRESSED = 0x1C849314

Bucket = tuple[int, int]
"""Index and count."""


@dataclass(frozen=True, slots=True)
class Part:
    """What goes into one frame."""

    figures: Figures
    buckets: list[Bucket]
    payload: bytes
    exemplar: Exemplar | None

    def counts(self, layout: Layout) -> Counts:
        """The same before it was encoded."""
        every = {layout.key(layout.lowest_at(index)): count for index, count in self.buckets}
        of = self.figures
        counts = Counts(Counter(every), of.total, of.sum, of.smallest, of.largest)
        counts.exemplar = self.exemplar
        return counts


def _leb128(number: int) -> bytes:
    """ZigZag, seven bits a byte, a ninth byte with eight."""
    word = number << 1 if number >= 0 else (-number << 1) - 1
    out = bytearray()
    while word >> 7 and len(out) < 8:
        out.append(word & 0x7F | 0x80)
        word >>= 7
    out.append(word)
    return bytes(out)


def _counts(buckets: list[Bucket]) -> bytes:
    out = bytearray()
    following = 0
    for index, count in buckets:
        empty = index - following
        if empty == 1:
            out.append(0)
        elif empty:
            out += _leb128(-empty)
        if count < 64:
            out.append(count << 1)
        else:
            out += _leb128(count)
        following = index + 1
    return bytes(out)


def raw(buckets: list[Bucket], layout: Layout, highest: int) -> bytes:
    """The raw form of buckets in ascending order."""
    counts = _counts(buckets)
    head = struct.pack(">IIiiqqd", _RAW, len(counts), 0, layout.digits, layout.lowest, highest, 1.0)
    return head + counts


def compressed(payload: bytes, level: int) -> bytes:
    """The compressed form of a raw payload."""
    stream = zlib.compress(payload, level)
    return struct.pack(">II", _COMPRESSED, len(stream)) + stream


def is_compressed(payload: bytes) -> bool:
    """Whether a payload has the compressed form."""
    return payload[:4] == struct.pack(">I", _COMPRESSED)


def parts(
    counts: Counts, start: int, end: int, layout: Layout, highest: int, max_body: int, level: int
) -> list[Part]:
    """One part, or as many as it takes for each to fit a body, by ascending buckets.

    Parts add up to the whole. The sum of a part cannot be known, so it is one that its buckets
    allow; minimum and maximum are exact where those of the whole lie, else edges of buckets.
    """
    buckets = [(layout.index_of_key(key), counts.buckets[key]) for key in sorted(counts.buckets)]
    room = max_body - INTERVAL_FIXED - len(extension(counts.exemplar))

    def payload(some: list[Bucket]) -> bytes:
        data = raw(some, layout, highest)
        return compressed(data, level) if level else data

    def split(some: list[Bucket]) -> Iterator[tuple[list[Bucket], bytes]]:
        data = payload(some)
        if len(data) <= room or len(some) == 1:
            yield some, data
        else:
            middle = len(some) // 2
            yield from split(some[:middle])
            yield from split(some[middle:])

    found = list(split(buckets))
    sums = _shared_sums([some for some, _ in found], layout, counts.sum)
    last = len(found) - 1
    return [
        Part(
            Figures(
                start=start,
                end=end,
                total=sum(count for _, count in some),
                sum=sums[number],
                smallest=counts.smallest if number == 0 else layout.lowest_at(some[0][0]),
                largest=counts.largest if number == last else layout.highest_at(some[-1][0]),
            ),
            some,
            data,
            counts.exemplar if number == last else None,
        )
        for number, (some, data) in enumerate(found)
    ]


def _shared_sums(every: list[list[Bucket]], layout: Layout, whole: int) -> list[int]:
    """To each part the least its buckets allow, then to each as much of the rest as they allow."""
    if len(every) == 1:
        return [whole]
    sums = [sum(layout.lowest_at(index) * n for index, n in some) for some in every]
    rest = whole - sum(sums)
    for number, some in enumerate(every):
        most = sum(layout.highest_at(index) * n for index, n in some)
        share = max(0, min(rest, most - sums[number]))
        sums[number] += share
        rest -= share
    if rest < 0:
        return [whole] + [0] * (len(every) - 1)
    sums[0] += rest
    return sums
