"""Sends values with DataDog's client for Python. Arguments: an address, udp://host:port or unix:///path, and a file
of lines "kind value": kind d is a distribution, ms a time in milliseconds."""
import sys
from datadog.dogstatsd import DogStatsd

address = sys.argv[1]
options = dict(constant_tags=["env:test"], disable_telemetry=True, socket_timeout=30)
if address.startswith("udp://"):
    host, port = address[len("udp://"):].rsplit(":", 1)
    client = DogStatsd(host=host, port=int(port), **options)
else:
    client = DogStatsd(socket_path=address, **options)
with open(sys.argv[2], encoding="ascii") as values:
    for line in values:
        kind, value = line.split()
        if kind == "d":
            client.distribution("client.size", int(value))
        else:
            client.timing("client.time", float(value))
client.flush()
client.close_socket()
