"""What Gunicorn serves in a test: each answer has recorded one value of one series."""

import os

from hdr_sidecar import Client
from hdr_sidecar.wsgi import LatencyMiddleware

client = Client.from_environment(interval=0.2)
calls = client.recorder("calls")


def answer(environ, start_response):
    value = int(environ["QUERY_STRING"])
    calls.record(value)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]


app = LatencyMiddleware(answer, client, route=lambda environ: "/")
