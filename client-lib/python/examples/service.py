"""A WSGI service, for any server: `gunicorn --workers=4 service:app`."""

from collections.abc import Callable, Iterable
from typing import Any

from hdr_sidecar import Client
from hdr_sidecar.wsgi import LatencyMiddleware

client = Client.from_environment()
greeting = client.recorder("greeting")


def hello(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    with greeting.time():
        body = f"hello from {environ['PATH_INFO']}\n".encode()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [body]


app = LatencyMiddleware(hello, client)
