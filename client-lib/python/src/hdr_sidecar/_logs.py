"""Log lines of the client: one for each change of state, from the logger `hdr_sidecar`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_BURST = 20
_EACH = 10.0

logger = logging.getLogger("hdr_sidecar")


class StateLog:
    """Where states change all the time, 20 lines at once and then one in ten seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._state = ""
        self._said: set[str] = set()
        self._room = float(_BURST)
        self._at = clock()
        self._left_out = 0

    def enter(self, state: str, level: int, message: str) -> None:
        """Says it if the state is another than before."""
        if state != self._state:
            self._state = state
            self._write(level, message)

    def once(self, what: str, message: str) -> None:
        """Warns, the first time only."""
        if what not in self._said:
            self._said.add(what)
            self._write(logging.WARNING, message)

    def warn(self, message: str) -> None:
        """Warns each time."""
        self._write(logging.WARNING, message)

    def _write(self, level: int, message: str) -> None:
        now = self._clock()
        self._room = min(_BURST, self._room + (now - self._at) / _EACH)
        self._at = now
        if self._room < 1:
            self._left_out += 1
            return
        self._room -= 1
        if self._left_out:
            message += f" ({self._left_out} lines were left out)"
            self._left_out = 0
        logger.log(level, "%s", message)
