"""The conversation with the sidecar, over as many connections as it takes.

AWAY --back-off over--> LOOKING_UP --> CONNECTING --HELLO--> WELCOMING --WELCOME--> OPEN
  ^                         |              |                    |                    |
  '--------------- failure, refusal, close, or an answer due for too long -----------'
"""

from __future__ import annotations

import enum
import logging
import os
import random
from hashlib import sha256

from hdr_sidecar import _frames as frames
from hdr_sidecar._connection import Connection, Lookup
from hdr_sidecar._delivery import Delivery
from hdr_sidecar._frames import Ack, Answer, ProtocolError, Reject, Scope, Welcome
from hdr_sidecar._logs import StateLog
from hdr_sidecar.config import Address, ClientConfig
from hdr_sidecar.series import labels_of

_HURRIED_RETRY = 0.05


class State(enum.Enum):
    """Of a session; see above."""

    AWAY = enum.auto()
    LOOKING_UP = enum.auto()
    CONNECTING = enum.auto()
    WELCOMING = enum.auto()
    OPEN = enum.auto()


class RefusedError(Exception):
    """The sidecar refuses the connection, for a reason that it names."""


class Session:
    """Belongs to the client's thread. Times are those of a monotonic clock, in seconds."""

    def __init__(self, config: ClientConfig, delivery: Delivery, log: StateLog, now: float) -> None:
        self._config = config
        self._address = Address.parse(config.address)
        self._common = labels_of(config.common_labels)
        self._delivery = delivery
        self._log = log
        self._random = random.Random(os.urandom(16))
        self.instance = os.urandom(16)
        self.state = State.AWAY
        self.connection: Connection | None = None
        self._lookup: Lookup | None = None
        self._attempts = 0
        self._backoff = config.min_backoff
        self._retry_at = now
        self._opened_at = now
        self._heard_at = now  # or since when an answer is owed
        self._hurried = False
        self._leaving = False

    @property
    def shown_as(self) -> str:
        """The instance as logs may show it, and as the sidecar does: it is a secret itself."""
        return sha256(self.instance).digest()[:16].hex()

    @property
    def is_open(self) -> bool:
        """Whether the sidecar has welcomed this client."""
        return self.state is State.OPEN

    def on_time(self, now: float) -> None:
        """Does what is due by time: connects, or gives up a connection that owes an answer."""
        try:
            if self.state is State.AWAY and now >= self._retry_at:
                self._heard_at = now
                self._lookup = Lookup(self._address, self._attempts)
                self._attempts += 1
                self.state = State.LOOKING_UP
            if self.state is State.LOOKING_UP and self._lookup is not None:
                where = self._lookup.result()
                if where is not None:
                    self._lookup = None
                    self.connection = Connection(where, self._address, self._config)
                    self.state = State.CONNECTING
                    self.on_ready(now)
        except OSError as error:
            self.lost(now, error)
        if self._owes() and now - self._heard_at >= self._config.stall_timeout:
            self.lost(now, TimeoutError(f"no answer for {self._config.stall_timeout} s"))

    def next_deadline(self, now: float) -> float:
        """When `on_time` has something to do."""
        if self.state is State.AWAY:
            return self._retry_at
        if self.state is State.LOOKING_UP:
            return now + 0.01
        return self._heard_at + self._config.stall_timeout if self._owes() else now + 3600

    def _owes(self) -> bool:
        if self.state is State.OPEN and self.connection is not None:
            return self._delivery.awaiting > 0 or self.connection.has_unwritten() or self._leaving
        return self.state is not State.AWAY

    def hurry(self, now: float) -> None:
        """There is a deadline: a sidecar that is away is tried at once and often."""
        self._hurried = True
        if self.state is State.AWAY:
            self._retry_at = now

    def relax(self) -> None:
        """The deadline has passed."""
        self._hurried = False

    def on_ready(self, now: float) -> None:
        """The socket is ready."""
        connection = self.connection
        if connection is None:
            return
        try:
            if self.state is State.CONNECTING:
                if connection.establish():
                    self._say_hello(connection, now)
            else:
                for answer in connection.read():
                    self._heard_at = now
                    self._on_answer(answer, now)
        except (OSError, ProtocolError, RefusedError) as error:
            self.lost(now, error)

    def _say_hello(self, connection: Connection, now: float) -> None:
        self.state = State.WELCOMING
        self._heard_at = now
        token = self._config.current_token()
        connection.send(frames.hello(self.instance, self._common, token))
        connection.write()

    def _on_answer(self, answer: Answer, now: float) -> None:
        if isinstance(answer, Reject):
            self._on_reject(answer)
        elif isinstance(answer, Welcome) and self.state is State.WELCOMING:
            self._on_welcome(answer, now)
        elif isinstance(answer, Ack) and self.state is State.OPEN:
            self._delivery.settle(answer.sequence)
            if self._leaving:
                raise ConnectionError("said goodbye")
        else:
            raise ProtocolError(f"the sidecar must not send {answer} while {self.state.name}")

    def _on_welcome(self, welcome: Welcome, now: float) -> None:
        if self._delivery.is_out_of_step(welcome.settled):
            before = self.shown_as
            self.instance = os.urandom(16)
            unknown = self._delivery.start_over(welcome.settled)
            why = (
                f"the sidecar has settled interval {welcome.settled} of {before}, which does not"
                " fit what was sent: somebody else has used its id, or the sidecar was set back;"
                f" goes on as {self.shown_as}, lost as nobody knows whether they were counted:"
                f" values={unknown}"
            )
            self._log.once("numbers", why)
            raise ProtocolError(why)
        self._delivery.welcomed(welcome)
        self.state = State.OPEN
        self._opened_at = now
        self._log.enter(
            "connected", logging.INFO, f"connected to {self._address} as {self.shown_as}"
        )

    def _on_reject(self, reject: Reject) -> None:
        if reject.scope is Scope.CONNECTION:
            raise RefusedError(f"{reject.reason}: {reject.message}")
        if reject.scope is Scope.SERIES:
            self._delivery.refuse_series(reject.reference, reject.reason, reject.message)
        else:
            self._delivery.refuse_interval(reject.reference, reject.reason, reject.message)

    def pump(self, now: float) -> None:
        """Sends what the sidecar has room for, and writes what the socket takes."""
        connection = self.connection
        if connection is None or self.state in (State.CONNECTING, State.LOOKING_UP):
            return
        try:
            if self.state is State.OPEN and not self._leaving:
                owed = self._owes()
                self._delivery.pump(connection.send)
                if not owed:
                    self._heard_at = now
            connection.write()
        except OSError as error:
            self.lost(now, self._last_words(connection, now) or error)

    def _last_words(self, connection: Connection, now: float) -> Exception | None:
        """A sidecar that refuses a connection closes it as well; its reason may be unread yet."""
        try:
            for answer in connection.read():
                self._on_answer(answer, now)
        except RefusedError as refusal:
            return refusal
        except (OSError, ProtocolError):
            return None
        return None

    def send_health(self, figures: dict[str, int]) -> None:
        """Sends the client's figures; nothing behind GOODBYE, which says that it was all."""
        if self.is_open and self.connection is not None and not self._leaving:
            self.connection.send(frames.health(figures))

    def say_goodbye(self, now: float) -> None:
        """Says that nothing more will come; the sidecar answers and closes."""
        if self.is_open and self.connection is not None and not self._leaving:
            self._leaving = True
            self._heard_at = now
            self.connection.send(frames.goodbye())

    @property
    def is_leaving(self) -> bool:
        """Whether it said goodbye: nothing can be sent any longer."""
        return self._leaving

    @property
    def has_left(self) -> bool:
        """Whether it said goodbye and the connection has ended."""
        return self._leaving and self.connection is None

    def lost(self, now: float, cause: Exception) -> None:
        """Gives the connection up; what was in flight is sent again on the next."""
        was_open = self.is_open
        lasted = now - self._opened_at >= self._config.max_backoff
        if was_open and (self._delivery.progressed or lasted):
            self._backoff = self._config.min_backoff
        self.disconnect()
        if self._hurried:
            self._retry_at = now + _HURRIED_RETRY
        else:
            self._retry_at = now + self._backoff * self._random.uniform(0.5, 1)
            self._backoff = min(self._backoff * 2, self._config.max_backoff)
        if not self._leaving:
            self._log_lost(was_open, cause)

    def _log_lost(self, was_open: bool, cause: Exception) -> None:
        if isinstance(cause, RefusedError):
            why = f"refused by {self._address}, values wait: {cause}"
            self._log.enter(f"refused {cause}", logging.WARNING, why)
        else:
            what = "lost" if was_open else "no connection with"
            text = str(cause) or repr(cause)
            why = f"{what} {self._address}, values wait: {text}"
            self._log.enter("away", logging.WARNING, why)

    def disconnect(self) -> None:
        """Closes the connection; what is in flight stays."""
        closing, self.connection = self.connection, None
        self._lookup = None
        self.state = State.AWAY
        self._delivery.lost_connection()
        if closing is not None:
            closing.close()

    def abandon(self) -> None:
        """In the child of a fork: closes its copy of the socket, without a word to the sidecar."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
