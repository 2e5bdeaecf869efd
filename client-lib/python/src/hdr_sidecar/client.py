"""The client: recorders, and the one thread that delivers what they count."""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from hdr_sidecar._engine import Close, DeliveryResult, Engine
from hdr_sidecar._health import ClientHealth, Tally, health_of
from hdr_sidecar.config import ClientConfig
from hdr_sidecar.recorder import CorrectedRecorder, Recorder
from hdr_sidecar.series import (
    MAX_LABELS,
    RecorderConfig,
    SeriesKey,
    joined,
    labels_of,
    overflow_labels,
)

if TYPE_CHECKING:
    from typing_extensions import Self

_LATENCY = RecorderConfig()
_SPILL_SECONDS = 10.0
_CORRECTED = ("corrected", "expected_interval")


class Client:
    """Delivers what its recorders count to the sidecar, each value once.

    Make one for a process, wherever: before a fork or after it. Its thread, a daemon, starts with
    the first value that is recorded, and in the child of a fork again, as another instance.
    All methods are for any thread. None raises because of the sidecar.
    """

    def __init__(self, config: ClientConfig | None = None) -> None:
        self.config = ClientConfig() if config is None else config
        self._common = labels_of(self.config.common_labels)
        self._recorders: dict[SeriesKey, Recorder] = {}
        self._overflow: dict[tuple[SeriesKey, RecorderConfig], Recorder] = {}
        self._corrected: dict[Recorder, CorrectedRecorder] = {}
        self._engine: Engine | None = None
        self._begin_process()
        _clients.add(self)
        _end.hook()

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, **settings: Any
    ) -> Self:
        """With the settings of the variables `HDR_SIDECAR_*`; those given here go before.

        Raises ValueError that names all variables that are wrong.
        """
        return cls(ClientConfig.from_environment(environment, **settings))

    def recorder(
        self,
        name: str,
        labels: Mapping[str, str] | None = None,
        config: RecorderConfig = _LATENCY,
    ) -> Recorder:
        """The recorder of a series, the same one each time. Keep it: a lookup costs microseconds.

        Without a config it counts nanoseconds, up to an hour, with three significant digits. The
        name has no unit: the sidecar appends `_seconds` or `_bytes`.

        Raises ValueError for a name or labels that cannot be, labels that contradict the common
        ones, or a series that exists with another config. Above the limit of series all further
        label sets of a name share one with `overflow="true"`.
        """
        key = SeriesKey(name, labels_of(labels or {}))
        known = self._recorders.get(key)
        if known is None:
            with self._registry:
                known = self._recorders.get(key) or self._create(key, config)
        if known.config != config:
            raise ValueError(f"series {key} exists with {known.config}, not with {config}")
        return known

    def _create(self, key: SeriesKey, config: RecorderConfig) -> Recorder:
        every = joined(key.labels, self._common)  # refuses labels that contradict the common ones
        if len(every) >= MAX_LABELS:  # one is left for `corrected`, as recording must not fail
            raise ValueError(f"at most {MAX_LABELS - 1} labels, common ones included: {key}")
        if _CORRECTED in key.labels:
            raise ValueError(
                'label corrected="expected_interval" is set by record_with_expected_interval:'
                f" {key}"
            )
        if len(self._recorders) < self.config.max_series:
            created = self._recorders[key] = Recorder(key, config, self)
            return created
        self._tally.overflowed_lookups += 1
        shared = SeriesKey(key.name, overflow_labels(key.labels))
        known = self._overflow.get((shared, config))
        if known is None:
            known = self._overflow[shared, config] = Recorder(shared, config, self)
        return known

    def close(self, timeout: float | None = None) -> DeliveryResult:
        """Delivers what was recorded before, and says goodbye to the sidecar.

        It waits for `timeout` seconds at most, by default `close_timeout`, and up to 10 s more for
        a spill file. What is recorded later is delivered as well: the first such value starts
        another instance. The end of the process closes the client if nobody does.
        """
        seconds = self.config.close_timeout if timeout is None else timeout
        deadline = time.monotonic() + seconds
        while True:
            close = Close(deadline)
            engine = self._engine
            if engine is None:
                left = sum(recorder.unsampled for recorder in self._sampled())
                if left and self.config.enabled:
                    self.start()
                if self._engine is None:
                    return DeliveryResult(left if self.config.enabled else 0, 0, None)
                continue
            if not engine.ask(close):
                time.sleep(0.001)  # it has just ended, and hands over
                continue
            close.done.wait(max(0.0, deadline - time.monotonic()) + _SPILL_SECONDS)
            if not close.missed:
                return close.result if close.done.is_set() else engine.unanswered()

    async def aclose(self, timeout: float | None = None) -> DeliveryResult:
        """`close` in a thread, while the event loop goes on."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, partial(self.close, timeout))

    def health(self) -> ClientHealth:
        """The client's own figures now."""
        engine = self._engine
        if engine is not None:
            return engine.health()
        return health_of(self._tally, False, sum(1 for _ in self._sampled()), 0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    # For recorders: see Sampler.

    def start(self) -> bool:
        """Starts the thread unless there is one, or somebody is about to."""
        if not self.config.enabled:
            return True
        if not self._starting.acquire(blocking=False):
            return False
        try:
            if self._engine is None:
                engine = Engine(self.config, self._sampled, self._tally, self._engine_ended)
                engine.start()
                self._engine = engine
                _end.hook()
            return True
        except (RuntimeError, OSError):  # no thread or no file can be had
            self._tally.loop_failures += 1
            return False
        finally:
            self._starting.release()

    def wake(self, recorder: Recorder) -> None:
        """Has the thread sort what is recorded."""
        engine = self._engine
        if engine is not None:
            engine.wake()
        elif self.config.enabled:
            self.start()  # a signal handler that raised kept the first value from it
        else:
            recorder.discard()

    def corrected(self, recorder: Recorder) -> CorrectedRecorder:
        """The recorder of the estimates beside this one, made for the first of them."""
        known = self._corrected.get(recorder)
        if known is None:
            labels = labels_of({**dict(recorder.key.labels), _CORRECTED[0]: _CORRECTED[1]})
            key = SeriesKey(recorder.key.name, labels)
            # `setdefault` is atomic: of two threads that come here both get the same.
            known = self._corrected.setdefault(
                recorder, CorrectedRecorder(key, recorder.config, self)
            )
        return known

    def _sampled(self) -> Iterator[Recorder]:
        for every in (self._recorders, self._overflow, self._corrected):
            yield from list(every.values())

    def _engine_ended(self) -> None:
        """Its thread says so. A value that came after its last sample starts another."""
        self._engine = None
        for recorder in self._sampled():
            if not recorder.rests():
                self.start()

    # For forks.

    def _begin_process(self) -> None:
        self._registry = threading.Lock()
        self._starting = threading.Lock()
        self._tally = Tally()

    def _after_fork_in_child(self) -> None:
        """What was recorded until now is the parent's to deliver; this is another instance."""
        engine, self._engine = self._engine, None
        self._begin_process()
        if engine is not None:
            engine.abandon()
        for recorder in self._sampled():
            recorder.forget()


_clients: weakref.WeakSet[Client] = weakref.WeakSet()


class _End:
    """Has the end of this process close all clients, once."""

    def __init__(self) -> None:
        self._process = 0
        self._finalizer: Any = None

    def hook(self) -> None:
        """Again in each process, and where what was registered has been cleared.

        A process of `multiprocessing` ends by `os._exit`, for which it calls finalizers of its own.
        At its start it clears those that it has: of its parent and, in one from a fork server, of
        the main module that was imported before.
        """
        if self._process != os.getpid():
            self._process = os.getpid()
            atexit.register(_close_all)
        util = sys.modules.get("multiprocessing.util")
        finalizer = getattr(util, "Finalize", None)  # None while another thread imports it
        if finalizer and not (self._finalizer and self._finalizer.still_active()):
            self._finalizer = finalizer(None, _close_all, exitpriority=-100)


_end = _End()


def _close_all() -> None:
    for client in list(_clients):
        client.close()


def _after_fork_in_child() -> None:
    for client in list(_clients):
        client._after_fork_in_child()  # noqa: SLF001


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
