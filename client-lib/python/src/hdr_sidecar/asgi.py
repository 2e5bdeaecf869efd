"""Middleware for ASGI: Starlette, FastAPI, Quart, Django, under Uvicorn, Hypercorn, Daphne.

It goes around any ASGI application, or, of Starlette and FastAPI, in:

    app = LatencyMiddleware(app, client)
    app.add_middleware(LatencyMiddleware, client=client)
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from hdr_sidecar._http import RequestRecorders
from hdr_sidecar.client import Client

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def matched_route(scope: Scope) -> str:
    """The path of the route that was matched, such as `/items/{id}`, if the framework says it.

    Never the path that was asked for, which has as many values as there are callers.
    """
    path = getattr(scope.get("route"), "path", "")
    return path if isinstance(path, str) else ""


class LatencyMiddleware:
    """Records each HTTP request as `http_server_requests{method, status, route}`.

    From the call of the application to its end, with the body it streams: service time. An
    exception counts as status 500. WebSockets and lifespan pass through.
    """

    def __init__(
        self,
        app: App,
        client: Client,
        name: str = "http_server_requests",
        route: Callable[[Scope], str] = matched_route,
    ) -> None:
        self._app = app
        self._recorders = RequestRecorders(client, name)
        self._route = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As the server calls it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = "500"

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        start = time.perf_counter_ns()
        try:
            await self._app(scope, receive, sending)
        finally:
            nanos = time.perf_counter_ns() - start
            self._recorders.record(str(scope.get("method")), status, self._route, scope, nanos)
