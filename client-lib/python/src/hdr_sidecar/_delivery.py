"""From intervals that wait to intervals settled, over as many connections as it takes.

Why every interval is merged exactly once: it gets a number when it is encoded, and is kept, bytes
and number, until the sidecar settles that number. On the next connection what is left is sent again
as it was, and the sidecar drops the numbers it has merged. Nothing is encoded before a WELCOME, so
what is in flight is bounded by the window stated there. All else waits, one interval a series.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hdr_sidecar import _frames as frames
from hdr_sidecar._frames import ProtocolError, Welcome
from hdr_sidecar._health import Tally
from hdr_sidecar._intervals import Counts
from hdr_sidecar._payload import Part, parts
from hdr_sidecar.recorder import Recorder

MAX_WINDOW = 1024
MAX_GAP = 65_536
_USUAL_BODY = 1 << 20


class Outgoing:
    """A series as it is sent: its id, and what waits of it."""

    def __init__(self, number: int, recorder: Recorder) -> None:
        self.number = number
        self.recorder = recorder
        self.waiting: Counts | None = None
        self.start = 0
        self.end = 0
        self.announced_on = 0
        self.refused_on = -1  # on none, also not on the one before the first
        self.refusal = ""

    def wait(self, counts: Counts, start: int, end: int) -> bool:
        """Adds an interval to what waits; returns whether something did before."""
        if self.waiting is None:
            self.waiting, self.start, self.end = counts, start, end
            return False
        self.waiting.add(counts)
        self.start, self.end = min(self.start, start), max(self.end, end)
        return True


@dataclass(frozen=True, slots=True)
class Interval:
    """An encoded interval."""

    sequence: int
    series: Outgoing
    part: Part
    frame: bytes

    @property
    def values(self) -> int:
        """How many it counts."""
        return self.part.figures.total


class Delivery:
    """Belongs to one instance of a client and to its thread."""

    def __init__(self, tally: Tally, warn: Callable[[str, str], None]) -> None:
        self._tally = tally
        self._warn = warn
        self._roster: list[Outgoing] = []
        self._of: dict[Recorder, Outgoing] = {}
        self._waiting: deque[Outgoing] = deque()
        self._sent: deque[Interval] = deque()
        self._unsent: deque[Interval] = deque()
        self._limits: Welcome | None = None
        self._connection = 0
        self._next = 1
        self._last_sent = 0
        self.progressed = False

    @property
    def pending(self) -> int:
        """Intervals that wait to be encoded."""
        return len(self._waiting)

    @property
    def flying(self) -> int:
        """Intervals encoded and not settled."""
        return len(self._sent) + len(self._unsent)

    @property
    def awaiting(self) -> int:
        """Intervals sent on this connection and not settled."""
        return len(self._sent)

    @property
    def values(self) -> int:
        """Values in all of them."""
        flying = sum(one.values for one in [*self._sent, *self._unsent])
        return flying + sum(one.waiting.total for one in list(self._waiting) if one.waiting)

    def add(self, recorder: Recorder, counts: Counts, start: int, end: int) -> None:
        """What a recorder counted from start to end."""
        series = self._of.get(recorder)
        if series is None:
            series = self._of[recorder] = Outgoing(len(self._roster) + 1, recorder)
            self._roster.append(series)
        self._wait(series, counts, start, end)

    def _wait(self, series: Outgoing, counts: Counts, start: int, end: int) -> None:
        if series.wait(counts, start, end):
            self._tally.joined_intervals += 1
        else:
            self._waiting.append(series)

    # What the sidecar says.

    def is_out_of_step(self, settled: int) -> bool:
        """Whether its number cannot come from what was sent: the instance cannot be kept."""
        following = self._unsent[0].sequence if self._unsent else self._next
        return settled > self._last_sent or 0 < settled < following - MAX_GAP

    def start_over(self, settled: int) -> int:
        """Goes on as another instance, numbered from 1; returns values nobody can know of.

        If the old numbers were taken by somebody else, what was sent under them may be merged or
        not. Otherwise the sidecar was set back, and has not what it does not say it has.
        """
        taken = settled > self._last_sent
        if not taken:
            self._settle(settled)
        left, self._unsent = self._unsent, deque()
        unknown = 0
        for one in left:
            if taken and one.sequence <= self._last_sent:
                unknown += one.values
                self._tally.lose("numbers_taken", one.values)
            else:
                self._put_back(one)
        self._next = 1
        self._last_sent = 0
        return unknown

    def welcomed(self, welcome: Welcome) -> None:
        """A connection is open, under these limits."""
        self._tally.welcomes += 1
        self._connection += 1
        self.progressed = False
        self._limits = welcome
        self.settle(welcome.settled)
        fitting: deque[Interval] = deque()
        for one in self._unsent:
            if len(one.frame) <= welcome.max_body + frames.OVERHEAD:
                fitting.append(one)
            else:
                self._put_back(one)
        self._unsent = fitting

    def _put_back(self, one: Interval) -> None:
        """It waits again, and is encoded anew."""
        figures = one.part.figures
        counts = one.part.counts(one.series.recorder.layout)
        self._wait(one.series, counts, figures.start, figures.end)

    def lost_connection(self) -> None:
        """What was sent on it is to be sent again, oldest first."""
        self._sent, self._unsent = deque(), self._sent + self._unsent

    def settle(self, sequence: int) -> None:
        """All up to this number need not be kept. Raises ProtocolError for one never sent."""
        if not 0 <= sequence <= self._last_sent:
            raise ProtocolError(f"answer to interval {sequence}, but sent were {self._last_sent}")
        self._settle(sequence)

    def _settle(self, sequence: int) -> None:
        for some in (self._sent, self._unsent):
            while some and some[0].sequence <= sequence:
                one = some.popleft()
                self.progressed = True
                self._tally.acknowledged_intervals += 1
                self._tally.acknowledged_values += one.values

    def refuse_series(self, number: int, reason: str, message: str) -> None:
        """All intervals of it are refused on this connection; those on their way are answered."""
        if 1 <= number <= len(self._roster):
            series = self._roster[number - 1]
            series.refused_on, series.refusal = self._connection, reason
            self._warn(
                f"series {reason}",
                f"series are refused and their values lost, reason={reason}, the first is"
                f" {series.recorder.key}: {message}",
            )

    def refuse_interval(self, sequence: int, reason: str, message: str) -> None:
        """This one is refused for good."""
        for one in self._sent:
            if one.sequence == sequence:
                self._sent.remove(one)
                self.progressed = True
                if one.series.refused_on == self._connection:
                    reason = one.series.refusal  # says more than that its series is unknown
                self._tally.lose(reason, one.values)
                self._warn(
                    f"interval {reason}",
                    f"intervals are refused and their values lost, reason={reason}, the first is of"
                    f" {one.series.recorder.key}: {message}",
                )
                return

    # What is sent.

    def pump(self, send: Callable[[bytes], None]) -> None:
        """Sends what the window has room for: first what is encoded already."""
        limits = self._limits
        if limits is None:
            return
        window = min(limits.window, MAX_WINDOW)
        while len(self._sent) < window:
            if not self._unsent:
                if not self._waiting:
                    return
                self._encode(self._waiting[0], limits)
                continue
            one = self._unsent[0]
            if self._announce(one.series, limits, send):
                send(one.frame)
                self._unsent.popleft()  # first: another thread may count both queues
                self._sent.append(one)
                self._count_sent(one)
            else:
                self._unsent.popleft()
                self._tally.lose(one.series.refusal, one.values)

    def _count_sent(self, one: Interval) -> None:
        if one.sequence > self._last_sent:
            self._last_sent = one.sequence
            self._tally.sent_intervals += 1
        else:
            self._tally.resent_intervals += 1

    def _announce(self, series: Outgoing, limits: Welcome, send: Callable[[bytes], None]) -> bool:
        """Says once a connection what an id stands for; returns whether it is not refused."""
        if series.announced_on != self._connection:
            series.announced_on = self._connection
            recorder = series.recorder
            data = frames.series(series.number, recorder.key, recorder.config)
            if len(data) - frames.OVERHEAD > limits.max_body:
                message = f"its labels and help do not fit {limits.max_body} bytes"
                self.refuse_series(series.number, "frame_too_large", message)
            else:
                send(data)
        return series.refused_on != self._connection

    def _encode(self, series: Outgoing, limits: Welcome) -> None:
        """Numbers what waits of a series."""
        counts = series.waiting
        if counts is not None and series.refused_on == self._connection:
            self._tally.lose(series.refusal, counts.total)
        elif counts is not None:
            encoded = list(self._encoded(series, counts, limits.max_body, limits.level))
            self._unsent.extend(encoded)
            self._next += len(encoded)
        self._waiting.popleft()
        series.waiting = None

    def _encoded(
        self, series: Outgoing, counts: Counts, max_body: int, level: int
    ) -> Iterator[Interval]:
        recorder = series.recorder
        found = parts(
            counts, series.start, series.end, recorder.layout, recorder.config.highest,
            max_body, level,
        )  # fmt: skip
        for sequence, part in enumerate(found, self._next):
            data = frames.interval(
                sequence, series.number, part.figures, part.payload, part.exemplar
            )
            yield Interval(sequence, series, part, data)

    def drain(self) -> list[Interval]:
        """Everything that is not settled, with its number; what waits is numbered now."""
        max_body = self._limits.max_body if self._limits else _USUAL_BODY
        level = (self._limits.level if self._limits else 0) or 1
        while self._waiting:
            self._encode(self._waiting[0], Welcome(0, max_body, 1, level))
        return [*self._sent, *self._unsent]

    def forget(self) -> None:
        """All of it is elsewhere now."""
        self._sent.clear()
        self._unsent.clear()
