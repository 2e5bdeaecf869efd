"""The client's thread: samples, delivers, and ends when all is delivered at a close."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from hdr_sidecar import _spill
from hdr_sidecar._delivery import Delivery
from hdr_sidecar._health import ClientHealth, Tally, figures, health_of
from hdr_sidecar._logs import StateLog
from hdr_sidecar._session import Session
from hdr_sidecar.config import ClientConfig
from hdr_sidecar.recorder import CorrectedRecorder, Recorder
from hdr_sidecar.series import labels_of

_FEWEST_SECONDS_OF_HEALTH = 1.0
_MOST_SECONDS_OF_HEALTH = 10.0
_PAUSE_AFTER_FAILURE = 0.1

# `poll` has no limit on the numbers of files, and nothing that a child of a fork would inherit.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What a close came to."""

    undelivered_values: int
    """Values that the sidecar has not acknowledged, and that are in no spill file."""
    spilled_values: int
    """Values written to the spill file."""
    spill_file: Path | None
    """The spill file, if one was written."""

    @property
    def delivered_all(self) -> bool:
        """Whether the sidecar has all that was recorded before the close."""
        return self.undelivered_values == 0 and self.spilled_values == 0


_NOTHING_LEFT = DeliveryResult(0, 0, None)


class Close:
    """A close that somebody waits for."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.begun = False
        self.missed = False
        self.done = threading.Event()
        self.result = _NOTHING_LEFT


def wall_millis() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class Engine:
    """One instance of a client, with its thread. It ends for good; the client makes another."""

    def __init__(
        self,
        config: ClientConfig,
        recorders: Callable[[], Iterable[Recorder]],
        tally: Tally,
        ended: Callable[[], None],
    ) -> None:
        self._config = config
        self._recorders = recorders
        self._tally = tally
        self._ended = ended
        self._log = StateLog()
        self._delivery = Delivery(tally, self._log.once)
        now = time.monotonic()
        self._session = Session(config, self._delivery, self._log, now)
        self._sampled_at = wall_millis()
        self._next_sample = now + config.interval
        self._next_health = now
        self._ear, self._mouth = socket.socketpair()
        for one in (self._ear, self._mouth):
            one.setblocking(False)
        self._woken = False
        self._closes: list[Close] = []
        self._lock = threading.Lock()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="hdr-sidecar", daemon=True)

    def start(self) -> None:
        """Raises RuntimeError when no thread can be had."""
        self._thread.start()

    def wake(self) -> None:
        """Has the thread look at the buffers. Any thread; does not wait."""
        if not self._woken:
            self._woken = True
            with contextlib.suppress(OSError):  # a full pipe wakes as well; a closed one needs not
                self._mouth.send(b"\0")

    def ask(self, close: Close) -> bool:
        """Asks for a close; returns whether there is a thread to do it."""
        with self._lock:
            if self._is_over:
                return False
            self._closes.append(close)
        self.wake()
        return True

    def health(self) -> ClientHealth:
        """Any thread: the figures as they are about now."""
        series = sum(1 for _ in self._recorders())
        delivery = self._delivery
        return health_of(
            self._tally, self._session.is_open, series, delivery.pending, delivery.flying
        )

    def unanswered(self) -> DeliveryResult:
        """What a close came to that the thread has not answered."""
        return DeliveryResult(self._delivery.values, 0, None)

    def abandon(self) -> None:
        """In the child of a fork: closes its copies of what is the parent's."""
        self._session.abandon()
        self._ear.close()
        self._mouth.close()

    # The thread.

    def _run(self) -> None:
        while True:
            try:
                if self._turn():
                    return
            except Exception as failure:  # a client that ends would lose what is recorded later
                self._tally.loop_failures += 1
                self._log.once("failure", f"the client's thread failed and goes on: {failure!r}")
                time.sleep(_PAUSE_AFTER_FAILURE)

    def _turn(self) -> bool:
        """Does what is due and waits for what is next; returns whether this was the last."""
        now = time.monotonic()
        if not self._session.is_leaving and (self._begin_closes(now) or now >= self._next_sample):
            self._sample(now)
        closing = self._closing()
        if now >= self._next_health and self._session.is_open:
            self._send_health(now)
        self._session.on_time(now)
        self._session.pump(now)
        if closing is not None and self._has_closed(closing, now):
            return self._end()
        self._wait(self._until(now, closing))
        return False

    def _begin_closes(self, now: float) -> bool:
        """Begins those that are new; returns whether there are any."""
        with self._lock:
            new = [close for close in self._closes if not close.begun]
        for close in new:
            close.begun = True
            self._session.hurry(now)
        return bool(new)

    def _closing(self) -> Close | None:
        """Of those under way the one that waits longest."""
        with self._lock:
            begun = [close for close in self._closes if close.begun]
        return max(begun, key=lambda close: close.deadline, default=None)

    def _sample(self, now: float) -> None:
        """Takes what was recorded since the last time, as one interval of each series."""
        end = wall_millis()
        start = min(self._sampled_at, end)
        for recorder in self._recorders():
            counts = recorder.harvest()
            tally = self._tally
            tally.clamped_negative += counts.clamped_negative
            tally.clamped_too_large += counts.clamped_too_large
            tally.lose("not_a_number", counts.not_numbers)
            if isinstance(recorder, CorrectedRecorder):
                tally.lost_back_fill += recorder.lost_back_fill
                recorder.lost_back_fill = 0
            if counts.total:
                tally.harvested_values += counts.total
                self._delivery.add(recorder, counts, start, end)
        self._sampled_at = end
        # On the grid of intervals, however late the thread came to it.
        late = max(0.0, now - self._next_sample)
        self._next_sample = now + self._config.interval - late % self._config.interval

    def _send_health(self, now: float) -> None:
        every = 10 * self._config.interval
        every = min(max(every, _FEWEST_SECONDS_OF_HEALTH), _MOST_SECONDS_OF_HEALTH)
        self._next_health = now + every
        self._session.send_health(figures(self.health(), self._tally))

    def _until(self, now: float, closing: Close | None) -> float:
        deadline = self._session.next_deadline(now)
        if not self._session.is_leaving:  # behind GOODBYE nothing is sampled any more
            deadline = min(deadline, self._next_sample)
        if self._session.is_open:
            deadline = min(deadline, self._next_health)
        if closing is not None:
            deadline = min(deadline, closing.deadline)
        return max(0.0, deadline - now)

    def _wait(self, seconds: float) -> None:
        with _Selector() as selector:
            selector.register(self._ear, selectors.EVENT_READ)
            connection = self._session.connection
            if connection is not None:
                selector.register(connection.file, connection.events)
            ready = {key.fileobj for key, _ in selector.select(seconds)}
        if self._ear in ready:
            self._ear.recv(4096)
            self._woken = False  # in this order: who wakes in between is served below
            for recorder in self._recorders():
                recorder.gather()
            ready.discard(self._ear)
        if ready:
            self._session.on_ready(time.monotonic())

    # The end.

    def _has_closed(self, closing: Close, now: float) -> bool:
        """Goes on with a close; returns whether the thread is to end."""
        if not (self._delivery.pending or self._delivery.flying):
            if self._session.has_left or not self._session.is_open:
                self._answer(_NOTHING_LEFT)
                return True
            self._session.say_goodbye(now)
            self._session.pump(now)
        if now < closing.deadline:
            return False
        if not (self._delivery.pending or self._delivery.flying):
            self._answer(_NOTHING_LEFT)  # all is acknowledged, only GOODBYE is not
            return True
        return self._give_up()

    def _give_up(self) -> bool:
        """The deadline has passed. Without a spill folder it is tried further."""
        self._session.relax()
        values = self._delivery.values
        folder = self._config.spill_folder
        if folder is None:
            self._log.warn(f"not delivered in time: values={values}")
            self._answer(DeliveryResult(values, 0, None))
            return False
        self._session.disconnect()
        intervals = self._delivery.drain()
        common = labels_of(self._config.common_labels)
        try:
            file = _spill.write(folder, self._session.instance, common, intervals)
        except OSError as error:
            self._log.warn(f"not delivered, and not spilled: values={values}: {error}")
            self._tally.lose("spill_failed", values)
            self._answer(DeliveryResult(values, 0, None))
        else:
            self._tally.spilled_intervals += len(intervals)
            self._tally.spilled_values += values
            self._log.warn(f"not delivered in time, written to {file}: values={values}")
            self._answer(DeliveryResult(0, values, file))
        self._delivery.forget()
        return True

    def _answer(self, result: DeliveryResult) -> None:
        with self._lock:
            closes, self._closes = self._closes, [c for c in self._closes if not c.begun]
        for close in closes:
            if close.begun:
                close.result = result
                close.done.set()

    def _end(self) -> bool:
        self._session.disconnect()
        with self._lock:
            self._is_over = True
            closes, self._closes = self._closes, []
        self._ended()
        for close in closes:  # asked for when this had said goodbye already
            close.missed = True
            close.done.set()
        self._ear.close()
        self._mouth.close()
        return True
