"""Recording: what application threads, coroutines and greenlets call."""

from __future__ import annotations

import functools
import inspect
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from hdr_sidecar._intervals import Counts, Exemplar, back_fill, count, is_whole, missing
from hdr_sidecar._layout import Layout
from hdr_sidecar.series import RecorderConfig, SeriesKey

if TYPE_CHECKING:
    from typing_extensions import Self

F = TypeVar("F", bound=Callable[..., Any])

FIRST = 1
"""Values in the buffer of a recorder whose client has no thread yet: the first one starts it."""

ENOUGH = 8_192
"""Values in a buffer for which the client's thread is woken before its time."""

FULL = 32 * ENOUGH
"""Values in a buffer that whoever records the next sorts, as the thread does not come to it."""

MOST_GAPS = 16_384
"""Values between two samples of a corrected series that may each miss others."""


class Sampler(Protocol):
    """The client, as its recorders know it. No call fails or waits."""

    def start(self) -> bool:
        """Sees to it that a thread samples; returns whether one does."""

    def wake(self, recorder: Recorder) -> None:
        """Has the thread sort the buffer of this recorder soon."""

    def corrected(self, recorder: Recorder) -> CorrectedRecorder:
        """The one beside this recorder."""


class Recorder:
    """Counts the values of one series.

    Get one from `Client.recorder` once and keep it. `record` appends to a list, and
    the client's thread sorts the list into buckets. No call here raises, blocks, logs or
    does input or output. All are for any thread, coroutine, greenlet or signal handler.

    Why each value is in exactly one interval: `append` is atomic. Values are taken from the front
    only, and only if nobody has taken any since they were looked at. Three statements do that, none
    of which lets another thread or a signal handler in while there is a global lock; a lock of our
    own is for Python without one. So a handler that raises, at whatever place, loses nothing.
    """

    __slots__ = (
        "_corrected",
        "_gathered",
        "_limit",
        "_lock",
        "_sampler",
        "_sorted",
        "_sorting",
        "_taken",
        "_traced",
        "_values",
        "config",
        "created_millis",
        "key",
        "layout",
    )  # fmt: skip

    _gathered: Counts
    _limit: int
    _lock: threading.RLock
    _sorted: tuple[Counts, Any] | None
    _sorting: bool
    _taken: int
    _traced: Exemplar | None

    def __init__(self, key: SeriesKey, config: RecorderConfig, sampler: Sampler) -> None:
        self.key = key
        self.config = config
        self.layout = Layout(config.lowest, config.digits)
        self.created_millis = time.time_ns() // 1_000_000
        self._sampler = sampler
        self._values: list[object] = []
        self._corrected: CorrectedRecorder | None = None
        self.forget()

    def record(self, value: int, trace_id: str | None = None, span_id: str | None = None) -> None:
        """Counts a value, in the unit of the series: by default nanoseconds.

        One below 0 or above the range counts as the end of the range; fractions are cut off. What
        is no number, or NaN, is counted as lost (`not_a_number`).

        With a trace id, the largest such value of an interval goes with it as an exemplar: 1 to 64
        visible ASCII characters, and up to 32 for the span id. Other ids are ignored.
        """
        values = self._values
        values.append(value)
        if len(values) >= self._limit:
            self._crowded()
        if trace_id is not None:
            self._trace(value, trace_id, span_id)

    def record_with_expected_interval(self, value: int, expected_interval: int) -> None:
        """Counts a value here and, corrected for coordinated omission, in a series beside this.

        For callers that start a call each `expected_interval` (in the unit of the series) and wait
        for its end. The other series has the label `corrected="expected_interval"` and also the
        values that such a caller failed to record while it waited. It is an estimate: never add it
        to this one.
        """
        self.record(value)
        if self._corrected is None:
            self._corrected = self._sampler.corrected(self)
        self._corrected.record_corrected(value, expected_interval)

    def time(self) -> Timing:
        """Times a block: `with recorder.time():`, or `async with`. Also when it raises.

        It measures service time, from the start of the block to its end. The unit must be
        nanoseconds, microseconds, milliseconds or seconds.
        """
        return Timing(self)

    def timed(self, function: F) -> F:
        """Decorates a function or coroutine function, each call of which is timed.

        Raises TypeError for a generator function, whose calls do no more than make a generator.
        """
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"a call of a generator function cannot be timed: {function!r}")
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def timed_coroutine(*args: Any, **kwargs: Any) -> Any:
                with Timing(self):
                    return await function(*args, **kwargs)

            return cast("F", timed_coroutine)

        @functools.wraps(function)
        def timed_function(*args: Any, **kwargs: Any) -> Any:
            with Timing(self):
                return function(*args, **kwargs)

        return cast("F", timed_function)

    def __repr__(self) -> str:
        return f"<Recorder {self.key}>"

    def _crowded(self) -> None:
        """The buffer has as many values as it may before somebody looks at it."""
        if self._limit == FIRST:
            # Before `start`: a thread that ends behind its answer makes it FIRST again.
            self._limit = ENOUGH
            started = False
            try:
                started = self._sampler.start()
            finally:
                if not started:
                    self._limit = FIRST
        elif len(self._values) < FULL:
            self._sampler.wake(self)
        if len(self._values) >= FULL and not self._sorting:
            self._sorting = True
            try:
                self._sort()
            finally:
                self._sorting = False

    def _trace(self, value: int, trace_id: str, span_id: str | None) -> None:
        best = self._traced
        if is_whole(value) and (best is None or value > best.value):
            millis = time.time_ns() // 1_000_000
            self._traced = Exemplar(value, millis, trace_id, span_id or "")

    def _sort(self) -> None:
        """Moves a chunk of what is in the buffer into buckets, unless somebody else does."""
        values = self._values
        before = self._taken
        chunk = values[: 4 * ENOUGH]
        number = len(chunk)
        if number:
            counts = count(chunk, self.layout, self.config.highest)
            with self._lock:
                if self._taken == before:
                    # Nothing may come between these three, so no call: see the class.
                    self._sorted = (counts, self._sorted)
                    self._taken = before + number
                    del values[:number]

    # For the client's thread.

    def gather(self) -> None:
        """Sorts what is in the buffer now, chunk by chunk."""
        end = len(self._values) + self._taken  # in this order: never less than was recorded
        while self._taken < end and self._values:
            self._sort()
            self._add_sorted()

    def _add_sorted(self) -> None:
        with self._lock:
            one = self._sorted
            self._sorted = None
        while one is not None:
            counts, one = one
            self._gathered.add(counts)

    def harvest(self) -> Counts:
        """What was recorded since the last harvest."""
        self.gather()
        self._add_sorted()
        harvested, self._gathered = self._gathered, Counts()
        traced, self._traced = self._traced, None
        if traced is not None:
            harvested.offer(self._in_range(traced))
        return harvested

    def _in_range(self, traced: Exemplar) -> Exemplar | None:
        ids = traced.trace_id, traced.span_id
        if not all(isinstance(one, str) and _is_visible(one) for one in ids):
            return None
        if not 1 <= len(ids[0]) <= 64 or len(ids[1]) > 32:
            return None
        value = min(max(int(traced.value), 0), self.config.highest)
        return Exemplar(value, max(0, traced.millis), *ids)

    @property
    def unsampled(self) -> int:
        """Values in the buffer, or sorted and not harvested."""
        return len(self._values) + self._gathered.total + (0 if self._sorted is None else 1)

    def discard(self) -> None:
        """Forgets what is in the buffer, as nobody wants it. For any thread."""
        self._values.clear()

    def rests(self) -> bool:
        """From now on the next value starts a thread; returns whether there are none before."""
        self._limit = FIRST
        return not self.unsampled

    def forget(self) -> None:
        """In a new process, whose values these are not."""
        self._values.clear()
        self._limit = FIRST
        # One that a signal handler may take while the thread that it interrupts holds it.
        self._lock = threading.RLock()
        self._sorted = None
        self._sorting = False
        self._taken = 0
        self._gathered = Counts()
        self._traced = None


def _is_visible(text: str) -> bool:
    return all("!" <= character <= "~" for character in text)


class CorrectedRecorder(Recorder):
    """The series beside another that also has the values which a stalled caller missed."""

    __slots__ = ("_gaps", "lost_back_fill")

    def record_corrected(self, value: int, expected_interval: int) -> None:
        """Counts a value and keeps in mind what is missing before it."""
        if is_whole(value) and is_whole(expected_interval) and 0 < 2 * expected_interval <= value:
            if len(self._gaps) < MOST_GAPS:
                self._gaps.append((int(value), int(expected_interval)))
            else:
                self.lost_back_fill += missing(int(value), int(expected_interval))
        self.record(value)

    def harvest(self) -> Counts:
        """With the missing values, of which one value may have four billion."""
        number = len(self._gaps)
        filled = Counts()
        for value, interval in self._gaps[:number]:
            held = min(value, self.config.highest)
            if missing(held, interval) > 1 << 32 or interval < 1:
                self.lost_back_fill += missing(held, interval)
            else:
                back_fill(filled, self.layout, held, interval)
        del self._gaps[:number]
        harvested = super().harvest()
        harvested.add(filled)
        return harvested

    def forget(self) -> None:
        """Forgets what is missing as well."""
        super().forget()
        self._gaps: list[tuple[int, int]] = []
        self.lost_back_fill = 0


_NANOS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}


class TimedBlock:
    """What begins with a block and ends with it, of a function or a coroutine."""

    __slots__ = ()

    def _end(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()


class Timing(TimedBlock):
    """A block under way, timed from `__enter__` to `__exit__`. Not to be entered twice at once."""

    __slots__ = ("_divisor", "_recorder", "_start")

    def __init__(self, recorder: Recorder) -> None:
        divisor = _NANOS.get(recorder.config.unit.symbol)
        if divisor is None:
            raise ValueError(f"{recorder.key} does not count time: {recorder.config.unit}")
        self._divisor = divisor
        self._recorder = recorder
        self._start = 0

    def __enter__(self) -> Self:
        self._start = time.perf_counter_ns()
        return self

    def _end(self) -> None:
        self._recorder.record((time.perf_counter_ns() - self._start) // self._divisor)
