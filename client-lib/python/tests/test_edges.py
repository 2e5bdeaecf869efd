"""What a sidecar seldom says, said by a script: no real one can be brought to it."""

import contextlib
import socket
import struct
import threading
import time

import pytest
from sidecars import eventually

from hdr_sidecar import _delivery, _engine
from hdr_sidecar._frames import Kind, frame


class Talk:
    """The sidecar's end of a connection."""

    def __init__(self, connection):
        self._connection = connection
        self._stream = connection.makefile("rb")

    def read(self, kind):
        """The next frame of this kind; others are skipped."""
        while True:
            head = self._stream.read(8)
            assert len(head) == 8
            length, found = struct.unpack_from(">IB", head)
            body = self._stream.read(length + 4)[:-4]
            if found == kind:
                return body

    def hello(self):
        """The instance."""
        return self.read(Kind.HELLO)[6:22]

    def interval(self):
        """Its number, count and sum."""
        sequence, _, _, _, total, _, low = struct.unpack_from(">qIqqqqQ", self.read(Kind.INTERVAL))
        return sequence, total, low

    def send(self, data):
        self._connection.sendall(data)

    def welcome(self, settled):
        self.send(frame(Kind.WELCOME, struct.pack(">HqiiB", 1, settled, 1 << 20, 64, 1)))

    def ack(self, sequence):
        self.send(frame(Kind.ACK, struct.pack(">q", sequence)))

    def reject(self, scope, reference, code):
        self.send(frame(Kind.REJECT, struct.pack(">BqHH", scope, reference, code, 0)))

    def end(self, sequence):
        self.read(Kind.GOODBYE)
        self.ack(sequence)

    def rest(self):
        """All bytes that still come."""
        return self._stream.read()

    def gone(self):
        """Waits until the client has ended the connection."""
        with contextlib.suppress(ConnectionError):
            while self._connection.recv(4096):
                pass


@pytest.fixture
def scripted():
    """An address at which each connection has a function of its own; theirs must all pass."""
    listener = socket.create_server(("127.0.0.1", 0))
    failures, threads = [], []

    def start(*talks):
        def serve():
            for talk in talks:
                connection, _ = listener.accept()
                connection.settimeout(60)
                try:
                    with connection:
                        talk(Talk(connection))
                except BaseException as failure:
                    failures.append(failure)
                    raise

        threads.append(threading.Thread(target=serve, daemon=True))
        threads[0].start()
        return f"tcp://127.0.0.1:{listener.getsockname()[1]}"

    yield start
    threads[0].join(60)
    listener.close()
    assert not failures
    assert not threads[0].is_alive()


def test_numbers_that_somebody_else_took_are_counted_and_not_sent_again(scripted, clients):
    seen = []
    again = threading.Event()

    def first(talk):
        seen.append(talk.hello())
        talk.welcome(0)
        assert talk.interval() == (1, 1, 5)
        again.wait(60)

    def taken(talk):
        assert talk.hello() == seen[0]
        talk.welcome(99)
        talk.gone()

    def other(talk):
        assert talk.hello() != seen[0]
        talk.welcome(0)
        assert talk.interval() == (1, 1, 7)
        talk.ack(1)
        talk.end(1)

    client = clients(scripted(first, taken, other))
    calls = client.recorder("calls")
    calls.record(5)
    eventually(lambda: client.health().sent_intervals == 1)
    again.set()
    eventually(lambda: client.health().lost_values)
    calls.record(7)
    assert client.close(60).delivered_all
    health = client.health()
    assert health.lost_values == {"numbers_taken": 1}
    assert (health.harvested_values, health.acknowledged_values) == (2, 1)


def test_sidecar_that_was_set_back_gets_all_that_it_has_not(scripted, clients, monkeypatch):
    monkeypatch.setattr(_delivery, "MAX_GAP", 2)
    seen = []

    def first(talk):
        seen.append(talk.hello())
        talk.welcome(0)
        for number in range(1, 4):
            assert talk.interval() == (number, 1, number)
            talk.ack(number)
        for number in range(4, 6):
            assert talk.interval() == (number, 1, number)

    def back(talk):
        assert talk.hello() == seen[0]
        talk.welcome(1)  # the next number is 4
        talk.gone()

    def fresh(talk):
        assert talk.hello() != seen[0]
        talk.welcome(0)
        # The two that were encoded wait again, and are added together.
        assert talk.interval() == (1, 2, 4 + 5)
        talk.ack(1)
        talk.end(1)

    client = clients(scripted(first, back, fresh))
    calls = client.recorder("calls")
    for number in range(1, 6):
        calls.record(number)
        eventually(lambda number=number: client.health().sent_intervals == number)
    assert client.close(60).delivered_all
    assert client.health().lost_values == {}
    assert client.health().acknowledged_values == 5


@pytest.mark.parametrize(
    "answer",
    [
        lambda talk: talk.ack(2),  # more than was sent
        lambda talk: talk.send(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        lambda talk: talk.send(frame(Kind.ACK, struct.pack(">q", 1))[:-1] + b"\0"),
        lambda talk: talk.reject(0, 0, 20),  # replaced
        lambda talk: talk.reject(0, 0, 999),  # a reason of a later version
        lambda talk: talk.send(frame(Kind.GOODBYE, b"")),
        lambda talk: talk.welcome(1),
        lambda talk: talk.send(frame(Kind.ACK, b"")),
    ],
    ids="too-high not-ours damaged replaced unknown goodbye welcome short".split(),
)
def test_answer_that_cannot_be_ends_the_connection_and_loses_nothing(scripted, clients, answer):
    seen = []

    def first(talk):
        seen.append(talk.hello())
        talk.welcome(0)
        assert talk.interval() == (1, 1, 5)
        answer(talk)
        talk.gone()

    def second(talk):
        assert talk.hello() == seen[0]
        talk.welcome(0)
        assert talk.interval() == (1, 1, 5)
        talk.ack(1)
        talk.end(1)

    client = clients(scripted(first, second))
    client.recorder("calls").record(5)
    assert client.close(60).delivered_all
    assert client.health().resent_intervals == 1
    assert client.health().lost_values == {}


def test_acknowledgement_that_was_lost_doubles_nothing(scripted, clients):
    def first(talk):
        talk.hello()
        talk.welcome(0)
        talk.interval()

    def second(talk):
        talk.hello()
        talk.welcome(1)  # it was merged
        talk.end(1)

    client = clients(scripted(first, second))
    client.recorder("calls").record(5)
    assert client.close(60).delivered_all
    assert client.health().resent_intervals == 0
    assert client.health().acknowledged_values == 1


def test_window_bounds_what_is_in_flight(scripted, clients):
    full = threading.Event()

    def narrow(talk):
        talk.hello()
        talk.send(frame(Kind.WELCOME, struct.pack(">HqiiB", 1, 0, 1 << 20, 2, 0)))
        assert talk.interval() == (1, 1, 1)
        assert talk.interval() == (2, 1, 2)
        full.wait(60)
        talk.ack(2)
        assert talk.interval() == (3, 3, 3 + 4 + 5)
        talk.ack(3)
        talk.end(3)

    client = clients(scripted(narrow))
    calls = client.recorder("calls")
    for number in range(1, 6):
        calls.record(number)
        eventually(lambda number=number: client.health().harvested_values == number)
        if number < 3:
            eventually(lambda number=number: client.health().sent_intervals == number)
    assert client.health().in_flight_intervals == 2
    assert client.health().pending_intervals == 1
    full.set()
    assert client.close(60).delivered_all
    assert client.health().joined_intervals == 2


def test_silence_ends_the_connection(scripted, clients):
    def silent(talk):
        talk.hello()
        talk.welcome(0)
        talk.interval()
        talk.gone()

    def second(talk):
        talk.hello()
        talk.welcome(0)
        assert talk.interval() == (1, 1, 5)
        talk.ack(1)
        talk.end(1)

    # Long enough that a machine under load does not take the second connection for silent, too.
    client = clients(scripted(silent, second), stall_timeout=3.0)
    client.recorder("calls").record(5)
    assert client.close(60).delivered_all


def test_goodbye_is_the_last_that_is_said(scripted, clients, monkeypatch):
    monkeypatch.setattr(_engine, "_FEWEST_SECONDS_OF_HEALTH", 0.05)  # due while it waits
    behind = []

    def stays(talk):
        talk.hello()
        talk.welcome(0)
        talk.ack(talk.interval()[0])
        talk.read(Kind.GOODBYE)
        behind.append(talk.rest())

    client = clients(scripted(stays), interval=0.01)
    client.recorder("calls").record(5)
    assert client.close(2).undelivered_values == 0
    eventually(lambda: behind)
    assert behind == [b""]


def test_thread_rests_while_it_waits_for_the_answer_to_goodbye(scripted, clients):
    def slow(talk):
        talk.hello()
        talk.welcome(0)
        talk.ack(talk.interval()[0])
        talk.read(Kind.GOODBYE)
        engine = client._engine
        eventually(lambda: time.monotonic() > engine._next_sample)
        eventually(lambda: engine._until(time.monotonic(), engine._closing()) > 0)
        talk.ack(1)

    client = clients(scripted(slow), interval=0.01)
    client.recorder("calls").record(5)
    assert client.close(300).delivered_all


def test_client_that_never_met_a_sidecar_leaves_all_in_its_file(clients, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
    client = clients(address, spill_folder=tmp_path)
    client.recorder("calls").record(5)
    assert client.close(0.2).spilled_values == 1
    (file,) = tmp_path.glob("*.hlog")
    text = file.read_text()
    assert "\n#R 1 1 1 1 5 5 5 " in text
    assert "\n#E 1 1 " in text
