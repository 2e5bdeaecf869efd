import asyncio
import random
import signal
import threading
import time

import pytest
from sidecars import oracle

from hdr_sidecar import Client, RecorderConfig, ScheduledRecorder, Unit
from hdr_sidecar import recorder as recording
from hdr_sidecar.recorder import CorrectedRecorder, Recorder
from hdr_sidecar.series import SeriesKey


class Sampler:
    """Says when it is woken; harvests are the test's."""

    def __init__(self):
        self.woken = threading.Event()
        self.starts = 0

    def start(self):
        self.starts += 1
        return True

    def wake(self, recorder):
        self.woken.set()

    def corrected(self, recorder):
        key = SeriesKey(recorder.key.name, (("corrected", "expected_interval"),))
        return CorrectedRecorder(key, recorder.config, self)


def recorder(sampler=None, **config):
    return Recorder(SeriesKey("x", ()), RecorderConfig(**config), sampler or Sampler())


def buckets(one, counts):
    layout = one.layout
    return {layout.lowest_at(layout.index_of_key(k)): n for k, n in counts.buckets.items()}


def test_first_value_starts_the_thread_once():
    sampler = Sampler()
    one = recorder(sampler)
    for _ in range(10):
        one.record(1)
    assert sampler.starts == 1


def test_enough_values_wake_the_thread():
    sampler = Sampler()
    one = recorder(sampler)
    for _ in range(recording.ENOUGH - 1):
        one.record(1)
    assert not sampler.woken.is_set()
    one.record(1)
    assert sampler.woken.is_set()


def test_memory_is_bounded_when_nobody_samples():
    one = recorder()
    for value in range(2 * recording.FULL):
        one.record(value)
    assert len(one._values) <= recording.FULL
    counts = one.harvest()
    assert counts.total == 2 * recording.FULL
    assert counts.sum == sum(range(2 * recording.FULL))


def test_memory_is_bounded_when_the_client_is_disabled():
    one = Client.from_environment({}, enabled=False).recorder("x")
    for value in range(2 * recording.FULL):
        one.record(value)
    assert one.unsampled <= recording.ENOUGH


class Hostile:
    """No number, and not even a TypeError."""

    def __radd__(self, other):
        raise RuntimeError

    def __int__(self):
        raise OverflowError


def test_value_of_a_class_that_fails_costs_itself_alone():
    one = recorder()
    for value in (1, Hostile(), 3):
        one.record(value)
    counts = one.harvest()
    assert (counts.total, counts.sum, counts.not_numbers) == (2, 4, 1)


def test_thread_that_ends_while_it_is_said_to_run_is_started_by_the_next_value():
    class Ending(Sampler):
        def start(self):
            super().start()
            if self.starts == 1:  # it took the value, and says so when `start` has looked
                one.harvest()
                assert one.rests()
            return True

    sampler = Ending()
    one = recorder(sampler)
    one.record(1)
    one.record(2)
    assert sampler.starts == 2


def test_buffer_that_fills_without_a_thread_starts_one(clients):
    client = clients("tcp://127.0.0.1:1")
    one = client.recorder("x")
    one._limit = recording.ENOUGH  # a signal handler raised before the thread was started
    for _ in range(recording.ENOUGH):
        one.record(1)
    assert client._engine is not None


def test_threads_each_value_is_in_one_interval():
    one = recorder()
    chance = random.Random(3)
    chunks = [[chance.randrange(1 << 40) for _ in range(50_000)] for _ in range(4)]
    harvested = [one.harvest()]

    def record(chunk):
        for value in chunk:
            one.record(value)

    threads = [threading.Thread(target=record, args=(chunk,)) for chunk in chunks]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        harvested.append(one.harvest())
    harvested.append(one.harvest())
    whole = harvested[0]
    for more in harvested[1:]:
        whole.add(more)
    every = [value for chunk in chunks for value in chunk]
    assert buckets(one, whole) == oracle(every)
    assert whole.sum == sum(every)


def test_signal_handlers_that_record_and_raise_lose_nothing(monkeypatch):
    """A handler runs between any two bytecodes of the main thread, also while it sorts."""
    monkeypatch.setattr(recording, "FULL", 64)
    one = recorder()
    begun, done = [], []  # a handler may interrupt another, too, and its `append` is one step
    handled = raised = 0
    armed = False

    class Interrupted(Exception):
        pass

    def record():
        begun.append(1)
        one.record(1)
        done.append(1)

    def handle(_signal, _frame):
        nonlocal armed, handled, raised
        handled += 1
        record()
        if handled % 2 and armed:
            armed = False
            raised += 1
            raise Interrupted

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    try:
        until = time.monotonic() + 60
        while handled < 2_000 and time.monotonic() < until:
            try:
                armed = True
                record()
                armed = False
            except Interrupted:
                armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled >= 2_000
    assert raised > 0
    # An interrupted call has recorded or not; each that returned has, once.
    assert len(done) <= one.harvest().total <= len(begun)


def test_record_never_raises():
    one = recorder()
    for value in (None, "x", object(), float("nan"), -1, 10**400, 1 << 70, [1]):
        one.record(value)
        one.record_with_expected_interval(value, 1)
        one.record_with_expected_interval(1, value)
        one.record(value, trace_id="t", span_id="s")
    counts = one.harvest()
    assert counts.not_numbers == 15
    assert counts.total == 32 - 15


def test_exemplar_is_the_largest_value_with_a_trace():
    one = recorder()
    one.record(5, "a")
    one.record(9, "b", "c")
    one.record(7, "d")
    one.record(1_000)
    found = one.harvest().exemplar
    assert (found.value, found.trace_id, found.span_id) == (9, "b", "c")
    assert one.harvest().exemplar is None


@pytest.mark.parametrize("trace", ["", "x" * 65, "with blank", "ümlaut", 7])
def test_exemplar_with_an_id_that_cannot_be_is_left_out(trace):
    one = recorder()
    one.record(5, trace)
    counts = one.harvest()
    assert counts.total == 1
    assert counts.exemplar is None


def test_time_measures_a_block_and_a_failure():
    one = recorder()
    with one.time():
        time.sleep(0.002)
    with pytest.raises(KeyError), one.time():
        raise KeyError
    counts = one.harvest()
    assert counts.total == 2
    assert counts.largest >= 2_000_000


def test_time_of_bytes_is_refused():
    with pytest.raises(ValueError, match="does not count time"):
        recorder(unit=Unit.BYTES).time()


def test_timed_functions_keep_their_names_and_results():
    one = recorder()

    @one.timed
    def pay(amount: int) -> int:
        """Pays."""
        return amount + 1

    @one.timed
    async def ask() -> str:
        await asyncio.sleep(0.002)
        return "answer"

    async def both():
        async with one.time():
            return await asyncio.gather(ask(), ask())

    assert (pay(1), pay.__name__, pay.__doc__) == (2, "pay", "Pays.")
    assert asyncio.run(both()) == ["answer", "answer"]
    counts = one.harvest()
    assert counts.total == 4
    assert counts.sum >= 3 * 2_000_000
    with pytest.raises(TypeError, match="generator"):
        one.timed(lambda: (yield))


def test_corrected_values_are_in_a_series_of_their_own():
    sampler = Sampler()
    one = recorder(sampler)
    one.record_with_expected_interval(1_000, 100)
    assert one.harvest().total == 1
    assert one._corrected.harvest().total == 10


def test_scheduled_times_add_up():
    client = Client.from_environment({}, enabled=False)
    pay = ScheduledRecorder(client, "pay")
    pay.record(1_000, 1_500, 4_000)
    pay.record(1_000, 900, 4_000)
    found = {dict(r.key.labels)["kind"]: r.harvest() for r in client._recorders.values()}
    assert {kind: counts.sum for kind, counts in found.items()} == {
        "response": 3_000 + 3_100, "service": 2_500 + 3_100, "wait": 500,
    }  # fmt: skip
    with pytest.raises(ValueError, match="kind"):
        ScheduledRecorder(client, "pay", {"kind": "x"})
    with pytest.raises(ValueError, match="nanoseconds"):
        ScheduledRecorder(client, "pay", config=RecorderConfig(unit=Unit.MILLISECONDS))


def test_scheduled_block_is_counted_once_however_it_ends():
    client = Client.from_environment({}, enabled=False)
    pay = ScheduledRecorder(client, "pay")

    async def call():
        async with pay.begin(before):
            pass

    before = time.perf_counter_ns()
    with pay.begin(before):
        pass
    with pytest.raises(KeyError), pay.begin(before):
        raise KeyError
    asyncio.run(call())
    after = time.perf_counter_ns()
    found = {dict(r.key.labels)["kind"]: r.harvest() for r in client._recorders.values()}
    assert [found[kind].total for kind in ("response", "service", "wait")] == [3, 3, 3]
    assert found["response"].sum == found["service"].sum + found["wait"].sum
    assert found["response"].largest <= after - before


def test_recorder_is_the_same_each_time_and_bounded_in_number():
    client = Client.from_environment({}, enabled=False, max_series=2)
    first = client.recorder("a", {"x": "1", "empty": ""})
    assert client.recorder("a", {"x": "1"}) is first
    client.recorder("a", {"x": "2"})
    overflow = client.recorder("a", {"x": "3", "kind": "wait"})
    assert dict(overflow.key.labels) == {"overflow": "true", "kind": "wait"}
    assert client.recorder("a", {"x": "4", "kind": "wait"}) is overflow
    assert client.health().overflowed_lookups == 2
    with pytest.raises(ValueError, match="exists with"):
        client.recorder("a", {"x": "1"}, RecorderConfig(digits=2))
    with pytest.raises(ValueError, match="corrected"):
        client.recorder("a", {"corrected": "expected_interval"})
