"""What both middlewares record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hdr_sidecar._logs import logger
from hdr_sidecar.client import Client
from hdr_sidecar.recorder import Recorder
from hdr_sidecar.series import SeriesKey

T = TypeVar("T")

_METHODS = frozenset("GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split())


class RequestRecorders:
    """One series for each method, status and route. Whatever comes, a request does not fail."""

    def __init__(self, client: Client, name: str) -> None:
        SeriesKey(name, ())  # a name that cannot be is told at the start
        self._client = client
        self._name = name
        self._known: dict[tuple[str, str, str], Recorder | None] = {}

    def record(
        self, method: str, status: str, route_of: Callable[[T], str], subject: T, nanos: int
    ) -> None:
        """Counts a request. Methods that are none share the label `other`."""
        try:
            route = route_of(subject)
            if not isinstance(route, str):
                raise TypeError(f"a route must be str: {route!r}")
        except Exception as failure:  # of the application's own function, anything may come
            logger.debug("no route: %r", failure)
            route = ""
        key = (method if method in _METHODS else "other", status, route)
        recorder = self._known[key] if key in self._known else self._look_up(key)
        if recorder is not None:
            recorder.record(nanos)

    def _look_up(self, key: tuple[str, str, str]) -> Recorder | None:
        method, status, route = key
        recorder = None
        try:
            labels = {"method": method, "status": status, "route": route[:1000]}
            recorder = self._client.recorder(self._name, labels)
        except (ValueError, TypeError) as error:
            logger.warning("requests are not recorded: %s", error)
        if len(self._known) < self._client.config.max_series:
            self._known[key] = recorder
        return recorder
