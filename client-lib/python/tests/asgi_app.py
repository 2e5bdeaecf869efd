"""What Uvicorn serves in a test. Nothing is sampled before the end, but by it."""

import contextlib
import os

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from hdr_sidecar import Client
from hdr_sidecar.asgi import LatencyMiddleware

client = Client.from_environment(interval=3600, close_timeout=60)
calls = client.recorder("calls")


async def answer(request):
    calls.record(int(request.url.query))
    return PlainTextResponse(str(os.getpid()))


@contextlib.asynccontextmanager
async def lifespan(app):
    client.recorder("startups").record(1)
    yield
    client.recorder("shutdowns").record(1)


app = Starlette(routes=[Route("/", answer)], lifespan=lifespan)
app.add_middleware(LatencyMiddleware, client=client)


async def without_lifespan(scope, receive, send):
    if scope["type"] != "http":
        raise ValueError(f"only http, not {scope['type']}")  # as Django does
    await Route("/", answer)(scope, receive, send)


bare = LatencyMiddleware(without_lifespan, client)
