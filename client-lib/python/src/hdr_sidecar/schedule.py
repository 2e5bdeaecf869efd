"""Intended starts, and the three times of a call.

    intended start          actual start                           end
          |                       |                                 |
          |-------- wait ---------|------------ service ------------|
          |--------------------- response --------------------------|

All times are nanoseconds of `time.perf_counter_ns()`.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from fractions import Fraction

from hdr_sidecar.client import Client
from hdr_sidecar.recorder import TimedBlock
from hdr_sidecar.series import RecorderConfig, Unit, labels_of

_NANOS = 1_000_000_000
_LATENCY = RecorderConfig()


class ScheduledRecorder:
    """Three series of one name: `kind="response"`, `kind="service"` and `kind="wait"`.

    For every call response = wait + service; a call that starts early has waited 0. For any
    thread; recording never raises, blocks or logs.
    """

    def __init__(
        self,
        client: Client,
        name: str,
        labels: Mapping[str, str] | None = None,
        config: RecorderConfig = _LATENCY,
    ) -> None:
        """Raises ValueError when labels have `kind`, or the unit is not nanoseconds."""
        if dict(labels_of(labels or {})).get("kind"):
            raise ValueError("label kind tells response, service and wait time apart: leave it out")
        if config.unit is not Unit.NANOSECONDS:
            raise ValueError(f"scheduled times are in nanoseconds, not {config.unit}")
        self._response, self._service, self._wait = (
            client.recorder(name, {**(labels or {}), "kind": kind}, config)
            for kind in ("response", "service", "wait")
        )

    def begin(self, intended_start: int) -> ScheduledCall:
        """Times a call from here on: `with pay.begin(intended_start):`, or `async with`."""
        return ScheduledCall(self, intended_start)

    def record(self, intended_start: int, actual_start: int, end: int) -> None:
        """Counts a call whose times are known."""
        waited = max(0, actual_start - intended_start)
        served = end - actual_start
        self._wait.record(waited)
        self._service.record(served)
        self._response.record(waited + max(0, served))


class ScheduledCall(TimedBlock):
    """A call under way. It starts when it is made, and ends with its block."""

    __slots__ = ("_intended", "_recorder", "_start")

    def __init__(self, recorder: ScheduledRecorder, intended_start: int) -> None:
        self._recorder = recorder
        self._intended = intended_start
        self._start = time.perf_counter_ns()

    def _end(self) -> None:
        self._recorder.record(self._intended, self._start, time.perf_counter_ns())


class Schedule:
    """When calls are meant to start, whatever becomes of those before. Iterate over it once."""

    def __init__(self, starts: Callable[[], Iterator[int]], calls: int | None) -> None:
        self._starts = starts
        self._calls = calls

    @classmethod
    def fixed_rate(cls, per_second: float, calls: int | None = None) -> Schedule:
        """Equally far apart: `calls` of them, or without end. Raises ValueError."""
        if not 1e-9 <= per_second <= 1e9:
            raise ValueError(f"calls per second must be 1e-9 to 1e9: {per_second}")
        period = Fraction(_NANOS) / Fraction(str(per_second))
        return cls(lambda: (int(number * period) for number in itertools.count()), calls)

    @classmethod
    def poisson(
        cls, per_second: float, calls: int | None = None, seed: int | None = None
    ) -> Schedule:
        """As independent callers start: at random, with this rate on average. Raises ValueError."""
        if not 1e-9 <= per_second <= 1e9:
            raise ValueError(f"calls per second must be 1e-9 to 1e9: {per_second}")

        def starts() -> Iterator[int]:
            chance = random.Random(seed)
            at = 0.0
            while True:
                at -= math.log(1 - chance.random()) / per_second
                yield int(at * _NANOS)

        return cls(starts, calls)

    def offsets(self) -> Iterator[int]:
        """Nanoseconds from the first moment of the schedule to each intended start."""
        return itertools.islice(self._starts(), self._calls)

    def __iter__(self) -> Iterator[int]:
        """Waits for each intended start and gives it; at once when it is past."""
        begun = time.perf_counter_ns()
        for offset in self.offsets():
            early = begun + offset - time.perf_counter_ns()
            if early > 0:
                time.sleep(early / _NANOS)
            yield begun + offset

    async def __aiter__(self) -> AsyncIterator[int]:
        """The same while the event loop goes on."""
        begun = time.perf_counter_ns()
        for offset in self.offsets():
            await asyncio.sleep(max(0, begun + offset - time.perf_counter_ns()) / _NANOS)
            yield begun + offset
