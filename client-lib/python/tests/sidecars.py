"""A real sidecar in a process of its own, and a proxy that cuts connections."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from types import MappingProxyType

from hdrh.histogram import HdrHistogram

HOUR = 3_600_000_000_000
_READY = re.compile(r"ready.*ingest=(t(?:cp|ls)://\S+).*http=(https?://\S+)")


def eventually(condition, seconds=60):
    """Waits for something to hold, and fails with what it last said."""
    until = time.monotonic() + seconds
    while True:
        try:
            result = condition()
            assert result, result
            return result
        except (AssertionError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _java():
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


class Sidecar:
    labels = MappingProxyType({})

    def __init__(self, jar, *options, ingest_port=0, http_port=0):
        self._jar, self._options = jar, options
        self._start(ingest_port, http_port)

    def _start(self, ingest_port, http_port):
        command = [
            _java(),
            "-Xmx192m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-jar",
            str(self._jar),
            "serve",
            f"--ingest-port={ingest_port}",
            f"--http-port={http_port}",
            *self._options,
        ]
        # A sidecar refuses to start with variables of its name that it does not know.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HDR_SIDECAR_")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line)
            ready = _READY.search(line)
            if ready:
                break
        else:
            raise AssertionError("".join(self.lines))
        self.address, self.http = ready[1].rstrip(","), ready[2].rstrip(",")
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        self.lines.extend(self.process.stdout)

    @property
    def port(self):
        return int(self.address.rpartition(":")[2])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self):
        """On the ports it had."""
        self._start(self.port, int(self.http.rpartition(":")[2]))

    def get(self, path, accept="*/*"):
        asked = urllib.request.Request(self.http + path, headers={"Accept": accept})
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.read().decode()

    def metrics(self):
        return self.get("/metrics")

    def total(self, selector, more=""):
        path = f"/api/v1/histogram?window=total&series={urllib.parse.quote(selector)}{more}"
        return json.loads(self.get(path))["data"]

    def count(self, selector):
        try:
            return self.total(selector)["count"]
        except urllib.error.HTTPError:
            return 0

    def buckets(self, selector):
        found = self.total(selector, "&buckets=true")["buckets"]
        return {one["lowest"]: one["count"] for one in found}

    def resident_kib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


def oracle(values, highest=HOUR, digits=3, lowest=1):
    """Counts of the language's HdrHistogram by the lowest value of each bucket."""
    histogram = HdrHistogram(lowest, highest, digits)
    for value in values:
        histogram.record_value(value)
    return buckets_of(histogram)


def buckets_of(histogram):
    lowest = histogram.get_lowest_equivalent_value
    return {
        lowest(item.value_iterated_to): item.count_at_value_iterated_to
        for item in histogram.get_recorded_iterator()
    }


class Labelled:
    """A sidecar as a test sees it whose series all have certain labels."""

    def __init__(self, sidecar, labels):
        self._sidecar, self.labels = sidecar, labels
        self._matchers = ",".join(f'{name}="{value}"' for name, value in labels.items())

    def _own(self, selector):
        name, _, others = selector.rstrip("}").partition("{")
        return f"{name}{{{','.join(filter(None, [self._matchers, others]))}}}"

    def total(self, selector, more=""):
        return self._sidecar.total(self._own(selector), more)

    def count(self, selector):
        return self._sidecar.count(self._own(selector))

    def buckets(self, selector):
        return self._sidecar.buckets(self._own(selector))

    @property
    def environment(self):
        """What lets a program send here."""
        labels = ",".join(f"{name}={value}" for name, value in self.labels.items())
        return {"HDR_SIDECAR_ADDRESS": self.address, "HDR_SIDECAR_LABELS": labels}

    def __getattr__(self, name):
        return getattr(self._sidecar, name)


class CuttingProxy:
    """Passes bytes on and cuts the connection behind a number of them, which grows each time."""

    def __init__(self, port, first=61, more=53):
        self._target, self._room, self._more = port, first, more
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            back = threading.Thread(target=self._pass, args=(server, client, None), daemon=True)
            back.start()
            self._pass(client, server, self._room)
            self._room += self._more

    def _pass(self, source, target, room):
        try:
            while data := source.recv(4096):
                if room is not None and len(data) > room:
                    target.sendall(data[:room])
                    self.cuts += 1
                    break
                target.sendall(data)
                room = None if room is None else room - len(data)
        except OSError:
            pass
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        self._listener.close()


def jar_path():
    return Path(
        os.environ.get("HDR_SIDECAR_JAR", "../../sidecar/target/hdr-sidecar.jar")
    ).absolute()
