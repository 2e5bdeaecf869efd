"""Middleware for ASGI: Starlette, FastAPI, Quart, Django, under Uvicorn, Hypercorn, Daphne.

It goes around any ASGI application, or, of Starlette and FastAPI, in:

    app = LatencyMiddleware(app, client)
    app.add_middleware(LatencyMiddleware, client=client)
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from hdr_sidecar._http import RequestRecorders
from hdr_sidecar._logs import logger
from hdr_sidecar.client import Client

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


_ONE_SEGMENT = ("", "str", "int", "float", "uuid")
_PARAMETER = re.compile(r"{(\w+):?(\w*)}")


def matched_route(scope: Scope) -> str:
    """The path of the route that was matched, such as `/v1/items/{id}`, if the framework says it.

    Never the path that was asked for, which has as many values as there are callers. The framework
    says it from where its router is mounted; what is before that is taken from the path, with names
    in the place of parameters.
    """
    route = getattr(scope.get("route"), "path", "")
    parameters = scope.get("path_params")
    if not isinstance(route, str) or not route:
        return ""
    if not isinstance(parameters, Mapping):
        return route  # another framework's: what is before it could be the value of a parameter
    path = scope.get("path", "")
    # A mount adds itself to `root_path`, and keeps what the server had put there.
    server = scope.get("app_root_path", scope.get("root_path", "")).rstrip("/")
    if path.startswith(server + "/"):
        path = path[len(server) :]
    exact, beginning = _patterns(route)
    found = exact.fullmatch(path) or beginning.fullmatch(path)
    return _named(found[1], parameters, route) + route if found else route


@functools.lru_cache(1024)
def _patterns(route: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is before the route, in a path that ends with it, or goes on, as behind a mount."""
    literals = _PARAMETER.split(route)
    parts = [re.escape(literals[0])]
    for kind, literal in zip(literals[2::3], literals[3::3], strict=True):
        parts.append(("[^/]+" if kind in _ONE_SEGMENT else ".*") + re.escape(literal))
    pattern = "(|/.*?)" + "".join(parts)
    return re.compile(pattern, re.DOTALL), re.compile(pattern + "/.*", re.DOTALL)


def _named(before: str, parameters: Mapping[str, object], route: str) -> str:
    """Nothing where a parameter cannot be found: what is left could be its value."""
    segments = before.split("/")
    own = {name for name, _ in _PARAMETER.findall(route)}
    for name, value in parameters.items():
        if name not in own:
            if str(value) not in segments:
                return ""
            segments[segments.index(str(value))] = f"{{{name}}}"
    return "/".join(segments)


class LatencyMiddleware:
    """Records each HTTP request as `http_server_requests{method, status, route}`.

    From the call of the application until the server has its whole body, so without background
    tasks: service time. An exception counts as status 500. WebSockets pass through. When the server
    shuts the application down (lifespan), the client is closed behind the application's own
    shutdown: Uvicorn then lets SIGTERM end the process, and Python has no say any more.
    """

    def __init__(
        self,
        app: App,
        client: Client,
        name: str = "http_server_requests",
        route: Callable[[Scope], str] = matched_route,
    ) -> None:
        self._app = app
        self._client = client
        self._recorders = RequestRecorders(client, name)
        self._route = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As the server calls it."""
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = "500"
        start: int | None = time.perf_counter_ns()

        def end() -> None:
            nonlocal start
            begun, start = start, None
            if begun is not None:
                nanos = time.perf_counter_ns() - begun
                self._recorders.record(str(scope.get("method")), status, self._route, scope, nanos)

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                end()

        try:
            await self._app(scope, receive, sending)
        finally:
            end()

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Closes the client before the server hears that the application has shut down."""
        takes_part = False

        async def receiving() -> Message:
            nonlocal takes_part
            takes_part = True
            return await receive()

        async def sending(message: Message) -> None:
            nonlocal takes_part
            takes_part = True
            if message["type"].startswith("lifespan.shutdown."):
                await self._close()
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        except Exception as failure:
            if takes_part:
                raise
            # As Django does. A server then says nothing at its end, so that it is answered here.
            logger.debug("the application has no lifespan: %r", failure)
        if not takes_part:
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await self._close()
            await send({"type": "lifespan.shutdown.complete"})

    async def _close(self) -> None:
        try:
            await self._client.aclose()
        except RuntimeError:  # no loop of asyncio, as under Trio, or no thread can be had
            self._client.close()
