"""The Python client with one mistake, for the conformance kit to find: its name is the argument."""

from __future__ import annotations

import dataclasses
import os
import ssl
import sys
import time
from collections import deque

import conformance_client
from hdr_sidecar import _connection, _engine, _frames, _payload, _spill
from hdr_sidecar._delivery import Delivery, Outgoing
from hdr_sidecar._frames import Scope
from hdr_sidecar._session import Session, State

MISTAKES = {}


def mistake(patch):
    """Known by its name."""
    MISTAKES[patch.__name__.replace("_", "-")] = patch
    return patch


def wrap(owner, name, replacement):
    """Puts a function of the original and its arguments in place of a function."""
    original = getattr(owner, name)
    setattr(owner, name, lambda *args, **more: replacement(original, *args, **more))


def renumbered(one, sequence):
    """The same contents under another number."""
    frame = _frames.interval(
        sequence, one.series.number, one.part.figures, one.part.payload, one.part.exemplar
    )
    return dataclasses.replace(one, sequence=sequence, frame=frame)


@mistake
def new_numbers_at_reconnect():
    def lost(original, self):
        original(self)
        for at, one in enumerate(self._unsent):
            self._unsent[at] = renumbered(one, self._next)
            self._next += 1

    wrap(Delivery, "lost_connection", lost)


@mistake
def forgets_at_reconnect():
    def lost(original, self):
        original(self)
        self._unsent.clear()

    wrap(Delivery, "lost_connection", lost)


@mistake
def uses_numbers_again():
    def lost(original, self):
        original(self)
        if self._unsent:
            self._next = self._unsent[0].sequence
        left, self._unsent = self._unsent, deque()
        for one in reversed(left):
            self._put_back(one)

    wrap(Delivery, "lost_connection", lost)


@mistake
def replaces_what_waits():
    def wait(original, self, counts, start, end):
        self.waiting = None
        return original(self, counts, start, end)

    wrap(Outgoing, "wait", wait)


@mistake
def resends_what_is_settled():
    def settle(original, self, sequence):
        if self.progressed or sequence == 0:
            original(self, sequence)
        self.progressed = True

    wrap(Delivery, "settle", settle)


def of_welcome(**changed):
    """Another WELCOME than the sidecar's."""
    wrap(
        Delivery,
        "welcomed",
        lambda original, self, welcome: original(self, dataclasses.replace(welcome, **changed)),
    )


@mistake
def ignores_the_limit():
    of_welcome(window=1000)


@mistake
def ignores_the_longest_body():
    of_welcome(max_body=1 << 20)


@mistake
def ignores_the_wish():
    of_welcome(level=1)


@mistake
def rounds_the_sum():
    def interval(original, sequence, series, figures, payload, exemplar):
        rounded = dataclasses.replace(figures, sum=figures.sum // 1000 * 1000)
        return original(sequence, series, rounded, payload, exemplar)

    wrap(_frames, "interval", interval)


@mistake
def says_seconds():
    def interval(original, sequence, series, figures, payload, exemplar):
        start, end = figures.start // 1000, figures.end // 1000
        in_seconds = dataclasses.replace(figures, start=start, end=end)
        return original(sequence, series, in_seconds, payload, exemplar)

    wrap(_frames, "interval", interval)


@mistake
def counts_in_the_next_bucket():
    def counts(original, buckets):
        return original([(index + 1, count) for index, count in buckets])

    wrap(_payload, "_counts", counts)


@mistake
def damages_frames():
    def frame(original, kind, body):
        data = original(kind, body)
        return data[:-4] + data[:-5:-1] if kind == _frames.Kind.INTERVAL else data

    wrap(_frames, "frame", frame)


@mistake
def forgets_the_token():
    wrap(
        _frames, "hello", lambda original, instance, common, token: original(instance, common, "")
    )


@mistake
def takes_a_new_instance():
    def lost(original, self, now, cause):
        original(self, now, cause)
        self.instance = os.urandom(16)

    wrap(Session, "lost", lost)


@mistake
def declares_series_once():
    def announce(_, self, series, limits, send):
        if series.announced_on == 0:
            series.announced_on = 1
            recorder = series.recorder
            send(_frames.series(series.number, recorder.key, recorder.config))
        return True

    wrap(Delivery, "_announce", announce)


@mistake
def ignores_a_refused_connection():
    def on_reject(original, self, reject):
        if reject.scope is not Scope.CONNECTION:
            original(self, reject)

    wrap(Session, "_on_reject", on_reject)


@mistake
def ignores_a_refused_series():
    wrap(Delivery, "refuse_series", lambda *_: None)


@mistake
def sends_a_refused_interval_again():
    def refuse(_, self, sequence, *__):
        for one in list(self._sent):
            if one.sequence == sequence:
                self._sent.remove(one)
                self._unsent.appendleft(one)

    def settle(original, self, sequence):
        kept = [one for one in self._unsent if one.sequence <= sequence]
        original(self, sequence)
        self._unsent.extendleft(reversed(kept))

    wrap(Delivery, "refuse_interval", refuse)
    wrap(Delivery, "_settle", settle)


@mistake
def believes_damaged_frames():
    def feed(_, self, data):
        self._buffer += data
        while len(self._buffer) >= 8:
            end = 8 + int.from_bytes(self._buffer[:4], "big")
            if end > 1 << 17 or len(self._buffer) < end + 4:
                return
            kind, body = self._buffer[4], bytes(self._buffer[8:end])
            del self._buffer[: end + 4]
            yield _frames._answer(kind, body)

    wrap(_frames.Reader, "feed", feed)


@mistake
def believes_any_number():
    wrap(Delivery, "settle", lambda _, self, sequence: self._settle(sequence))


@mistake
def chokes_on_what_is_new():
    def answer(original, kind, body):
        if kind == _frames.Kind.ACK and len(body) != 8:
            raise _frames.ProtocolError("ACK has 8 bytes")
        return original(kind, body)

    wrap(_frames, "_answer", answer)


@mistake
def waits_for_ever():
    wrap(Session, "_owes", lambda *_: False)


@mistake
def comes_back_at_once():
    def lost(original, self, now, cause):
        original(self, now, cause)
        self._retry_at = now

    wrap(Session, "lost", lost)


@mistake
def says_no_goodbye():
    def goodbye(_, self, now):
        self._leaving = True
        self.lost(now, ConnectionError("left"))

    wrap(Session, "say_goodbye", goodbye)


@mistake
def speaks_behind_goodbye():
    def goodbye(original, self, now):
        original(self, now)
        self.connection.send(_frames.health({}))

    wrap(Session, "say_goodbye", goodbye)


@mistake
def never_ends():
    wrap(conformance_client, "main", lambda original: (original(), time.sleep(600)))


@mistake
def leaves_half_a_file():
    def lines(original, *args):
        every = list(original(*args))
        return every[:-1]

    wrap(_spill, "lines", lines)


@mistake
def leaves_new_numbers():
    def write(original, folder, instance, common, intervals):
        others = [renumbered(one, one.sequence + 100) for one in intervals]
        return original(folder, instance, common, others)

    wrap(_spill, "write", write)
    _engine.write = _spill.write


@mistake
def trusts_anyone():
    def context(original, config):
        made = original(config)
        made.check_hostname = False
        made.verify_mode = ssl.CERT_NONE
        return made

    wrap(_connection, "tls_context", context)


if __name__ == "__main__":
    assert State.OPEN  # of the version of the client that is broken here
    MISTAKES[sys.argv[1]]()
    conformance_client.main()
