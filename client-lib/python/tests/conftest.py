import itertools
import os
import shutil

import pytest
from sidecars import Labelled, Sidecar, jar_path

from hdr_sidecar import Client

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def jar():
    found = jar_path()
    if not found.is_file() or shutil.which("java") is None:
        reason = f"no java, or no {found}: run mvn package first, or set HDR_SIDECAR_JAR"
        if os.environ.get("HDR_SIDECAR_REQUIRE_REAL_PARTS") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture
def sidecars(jar):
    """Starts sidecars, and ends them behind the test."""
    started = []

    def start(*options, **more):
        started.append(Sidecar(jar, *options, **more))
        return started[-1]

    yield start
    for one in started:
        one.kill()


@pytest.fixture(scope="session")
def shared(jar):
    one = Sidecar(jar)
    yield one
    one.kill()


@pytest.fixture
def sidecar(shared):
    """One sidecar for all tests that leave it as it is; each has a label of its own."""
    return Labelled(shared, {"test": str(next(_numbers))})


@pytest.fixture
def clients():
    """Makes clients with short intervals, and closes them behind the test."""
    made = []

    def make(where, **settings):
        fast = {
            "interval": 0.05, "min_backoff": 0.02, "max_backoff": 0.2, "close_timeout": 0,
        }  # fmt: skip
        address = where if isinstance(where, str) else where.address
        labels = {**getattr(where, "labels", {}), **settings.pop("common_labels", {})}
        settings = {**fast, "address": address, "common_labels": labels, **settings}
        made.append(Client.from_environment({}, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close(0)
