"""Middleware for WSGI: Flask, Django, Pyramid, under Gunicorn, uWSGI, Waitress.

It goes around what Flask calls its `wsgi_app`, or around any WSGI application:

    app.wsgi_app = LatencyMiddleware(app.wsgi_app, client)
    application = LatencyMiddleware(application, client)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

from hdr_sidecar._http import RequestRecorders
from hdr_sidecar.client import Client

Environ = dict[str, Any]
ExcInfo = tuple[type[BaseException], BaseException, TracebackType]
App = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def no_route(environ: Environ) -> str:  # noqa: ARG001
    """WSGI has no place in which a framework says what it matched."""
    return ""


class LatencyMiddleware:
    """Records each request as `http_server_requests{method, status, route}`.

    From the call of the application until the server has its whole body: service time. An exception
    counts as status 500. `route` gives the label of that name after the response; it must have few
    values, so never the path that was asked for.
    """

    def __init__(
        self,
        app: App,
        client: Client,
        name: str = "http_server_requests",
        route: Callable[[Environ], str] = no_route,
    ) -> None:
        self._app = app
        self._recorders = RequestRecorders(client, name)
        self._route = route

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """As the server calls it."""
        request = _Request(self._recorders, environ, self._route)

        def starting(status: str, headers: list[tuple[str, str]], *info: ExcInfo | None) -> Any:
            request.status = status[:3]
            return start_response(status, headers, *info)

        try:
            return _Body(self._app(environ, starting), request)
        except BaseException:
            request.status = "500"
            request.end()
            raise


class _Request:
    def __init__(
        self, recorders: RequestRecorders, environ: Environ, route: Callable[[Environ], str]
    ) -> None:
        self.status = "500"
        self._recorders = recorders
        self._environ = environ
        self._route = route
        self._start: int | None = time.perf_counter_ns()

    def end(self) -> None:
        """Once."""
        start, self._start = self._start, None
        if start is not None:
            nanos = time.perf_counter_ns() - start
            method = str(self._environ.get("REQUEST_METHOD"))
            self._recorders.record(method, self.status, self._route, self._environ, nanos)


class _Body:
    """The server calls `close` behind the last chunk, or when the caller has gone."""

    def __init__(self, chunks: Iterable[bytes], request: _Request) -> None:
        self._chunks = chunks
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._chunks
        except Exception:
            self._request.status = "500"
            raise

    def close(self) -> None:
        """Ends the request, also when the application's own `close` raises."""
        try:
            close = getattr(self._chunks, "close", None)
            if close is not None:
                close()
        finally:
            self._request.end()
