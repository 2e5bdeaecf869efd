"""HdrHistogram's bucket layout, and how a chunk of values is sorted into it without a loop.

A float64 has a sign, 11 bits of exponent and 52 of mantissa. Its exponent with the first s - 1 bits
of its mantissa names HdrHistogram's bucket, s being the bits of the number of sub-buckets: values
of s bits or less keep all their bits, and of longer ones those below are what the bucket does not
tell apart. So `array("d", values)`, a shift and a mask over all of them at once give a key each;
one big integer does it in C. A key becomes an index when an interval is encoded, once per bucket.

Integers of 2^53 and more would be rounded, so they, which are rare, go one by one.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence

_BIAS = 1023
_EXACT = 1 << 53
_HIGH_WORD = 1 if sys.byteorder == "little" else 0
_HIGH_MANTISSA_BITS = 20


class Layout:
    """Buckets for a lowest discernible value and significant digits. Immutable."""

    __slots__ = ("_bits", "_lane", "_mantissa", "_shift", "_unit", "digits", "lowest")

    _bits: int
    _lane: bytes
    _mantissa: int
    _shift: int
    _unit: int

    def __init__(self, lowest: int, digits: int) -> None:
        if not 0 <= digits <= 5:
            raise ValueError(f"significant digits must be 0..5: {digits}")
        if lowest < 1:
            raise ValueError(f"lowest discernible value must be at least 1: {lowest}")
        self.lowest = lowest
        self.digits = digits
        # HdrHistogram takes this logarithm in floating point, which rounds up just below 2^48.
        self._unit = int(math.log(lowest) / math.log(2))
        self._bits = (2 * 10**digits - 1).bit_length()
        if self._bits + self._unit > 62:
            raise ValueError(
                f"{digits} significant digits cannot be kept above a lowest discernible value"
                f" of {lowest}"
            )
        self._mantissa = self._bits - 1
        self._shift = _HIGH_MANTISSA_BITS - self._mantissa
        lane = (1 << 32 - self._shift) - 1
        self._lane = lane.to_bytes(4, sys.byteorder)

    def index(self, value: int) -> int:
        """The number of the bucket of a value, which is 0 or more."""
        bucket = max(0, value.bit_length() - self._bits - self._unit)
        return (bucket << self._mantissa) + (value >> bucket + self._unit)

    def _bucket(self, index: int) -> int:
        return max((index >> self._mantissa) - 1, 0)

    def lowest_at(self, index: int) -> int:
        """The lowest value of a bucket."""
        bucket = self._bucket(index)
        return index - (bucket << self._mantissa) << bucket + self._unit

    def highest_at(self, index: int) -> int:
        """The highest value of a bucket."""
        return self.lowest_at(index) + (1 << self._bucket(index) + self._unit) - 1

    def key(self, value: int) -> int:
        """What `keys` gives for one value."""
        value >>= self._unit
        if value == 0:
            return 0
        exponent = value.bit_length() - 1
        spare = exponent - self._mantissa
        mantissa = value >> spare if spare > 0 else value << -spare
        return (exponent + _BIAS << self._mantissa) | mantissa & (1 << self._mantissa) - 1

    def keys(self, values: Sequence[int], largest: int) -> Sequence[int]:
        """A key for each value, in any order. All are 0 or more, and `largest` at most."""
        if largest >= _EXACT:
            return [self.key(value) for value in values]
        unit = self._unit
        doubles = array("d", [value >> unit for value in values] if unit else values)
        words = array("I", doubles.tobytes())[_HIGH_WORD::2]
        every = int.from_bytes(words.tobytes(), sys.byteorder) >> self._shift
        every &= int.from_bytes(self._lane * len(words), sys.byteorder)
        return array("I", every.to_bytes(4 * len(words), sys.byteorder))

    def index_of_key(self, key: int) -> int:
        """The bucket that a key names; keys ascend as indexes do."""
        if key == 0:
            return 0
        exponent = (key >> self._mantissa) - _BIAS
        significand = key & (1 << self._mantissa) - 1 | 1 << self._mantissa
        spare = exponent - self._mantissa
        value = significand << spare if spare > 0 else significand >> -spare
        return self.index(value << self._unit)
