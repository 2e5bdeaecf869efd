"""Forks, ends of processes, and Gunicorn."""

import concurrent.futures
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import urllib.request
from pathlib import Path

import pytest
from sidecars import eventually

HERE = Path(__file__).parent
WORKERS = int(os.environ.get("HDR_SIDECAR_TEST_WORKERS", "4"))
RECYCLED = int(os.environ.get("HDR_SIDECAR_TEST_RECYCLED", "12"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def run(sidecar, program, *, expected=0):
    """A program of its own, which must end as expected."""
    head = "from hdr_sidecar import Client\nclient = Client.from_environment(close_timeout=30)\n"
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", head + textwrap.dedent(program)],
        check=False, env={**os.environ, **sidecar.environment},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == expected, done.stderr
    return done


def test_end_of_a_program_delivers(sidecar):
    run(sidecar, "client.recorder('calls').record(7)")
    assert sidecar.total("calls")["sum"] == 7


def test_end_by_an_exception_or_exit_delivers(sidecar):
    run(sidecar, "client.recorder('calls').record(7); raise KeyError", expected=1)
    run(sidecar, "import sys; client.recorder('calls').record(8); sys.exit(3)", expected=3)
    assert sidecar.total("calls")["sum"] == 15


def test_sigterm_with_a_handler_delivers(sidecar):
    run(
        sidecar,
        """
        import os, signal, sys
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        client.recorder('calls').record(7)
        os.kill(os.getpid(), signal.SIGTERM)
        """,
    )
    assert sidecar.count("calls") == 1


def test_os_exit_behind_a_close_delivers(sidecar):
    run(sidecar, "client.recorder('calls').record(7); client.close()\nimport os; os._exit(0)")
    assert sidecar.count("calls") == 1


def test_undelivered_at_the_end_is_stated(sidecar):
    done = run(
        sidecar,
        """
        import logging
        logging.basicConfig()
        lonely = Client.from_environment({}, address='tcp://127.0.0.1:1', close_timeout=0.1)
        lonely.recorder('calls').record(7)
        """,
    )
    assert "not delivered in time: values=1" in done.stderr


def test_forked_children_are_instances_of_their_own(sidecar):
    """The parent's values are its own, also those in its buffers at the fork."""
    run(
        sidecar,
        """
        import os, sys
        calls = client.recorder('calls')
        for value in range(1000):
            calls.record(value)
        children = []
        for number in range(5):
            pid = os.fork()
            if pid == 0:
                for value in range(100):
                    calls.record(value)
                sys.exit(0)
            children.append(pid)
            calls.record(0)
        assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
        """,
    )
    assert sidecar.count("calls") == 1000 + 5 + 5 * 100
    assert sidecar.total("calls")["sum"] == sum(range(1000)) + 5 * sum(range(100))


def test_children_of_children_and_of_busy_threads(sidecar):
    run(
        sidecar,
        """
        import os, sys, threading
        calls = client.recorder('calls')
        stop = threading.Event()
        counted = [0, 0]
        def record(n):
            while not stop.is_set():
                calls.record(1)
                counted[n] += 1
        threads = [threading.Thread(target=record, args=(n,)) for n in (0, 1)]
        for thread in threads:
            thread.start()
        while sum(counted) < 10_000:
            pass
        pid = os.fork()
        if pid == 0:
            calls.record(10_000_000)
            if os.fork() == 0:
                calls.record(10_000_000)
            else:
                os.wait()
            client.close(); os._exit(0)
        os.waitpid(pid, 0)
        stop.set()
        for thread in threads:
            thread.join()
        client.recorder('recorded').record(sum(counted))
        """,
    )
    assert sidecar.count("calls") == sidecar.total("recorded")["sum"] + 2


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_multiprocessing_deliver_at_their_end(sidecar, tmp_path, method):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            f"""
            import multiprocessing
            from hdr_sidecar import Client
            client = Client.from_environment(close_timeout=30)
            def work(value):
                client.recorder('calls').record(value)
            if __name__ == '__main__':
                context = multiprocessing.get_context('{method}')
                client.recorder('calls').record(1000)
                processes = [context.Process(target=work, args=(n,)) for n in range(3)]
                for one in processes: one.start()
                for one in processes: one.join()
                with context.Pool(2) as pool:
                    pool.map(work, range(20))
                    pool.close(); pool.join()  # the end of `with` alone would be SIGTERM
            """
        )
    )
    subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", str(program)],
        env={**os.environ, **sidecar.environment}, check=True, timeout=120,
    )  # fmt: skip
    assert sidecar.count("calls") == 24
    assert sidecar.total("calls")["sum"] == 1000 + 3 + sum(range(20))


def test_process_killed_has_delivered_what_it_recorded_first(sidecar):
    """What is there is 0, 1, 2 and so on: all that was acknowledged, and no gap."""
    program = """
        import sys
        calls = client.recorder('calls')
        value = 0
        while True:
            for _ in range(1_000):
                calls.record(value)
                value += 1
            print(client.health().acknowledged_values, flush=True)
        """
    head = "from hdr_sidecar import Client\nclient = Client.from_environment(interval=0.02)\n"
    process = subprocess.Popen(
        [sys.executable, "-c", head + textwrap.dedent(program)],
        env={**os.environ, **sidecar.environment}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        for line in process.stdout:
            acknowledged = int(line)
            if acknowledged > 20_000:
                break
        process.kill()
    eventually(lambda: sidecar.count("calls") >= acknowledged)
    total = sidecar.total("calls")
    assert total["sum"] == sum(range(total["count"]))
    assert total["max"] == total["count"] - 1


def get(port, value):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/?{value}", timeout=60) as answer:
        return int(answer.read())


class Server:
    """A program that serves, and says where, until SIGTERM."""

    def __init__(self, sidecar, *command, code=0):
        self._code = code
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=HERE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**os.environ, **sidecar.environment},
        )  # fmt: skip
        for line in self.process.stderr:
            _, found, address = line.partition("http://127.0.0.1:")
            if found:
                self.port = int(address.split()[0])
                break
        self._rest = concurrent.futures.ThreadPoolExecutor(1)
        self.output = self._rest.submit(self.process.stderr.read)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        """Ends it in order, and at once when the test has failed."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(5 if kind else 90)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self._rest.shutdown()
        assert code == self._code, self.output.result()


class Gunicorn(Server):
    def __init__(self, sidecar, *options, app="gunicorn_app:app"):
        super().__init__(
            sidecar, "gunicorn", "--bind=127.0.0.1:0", f"--workers={WORKERS}",
            "--worker-tmp-dir=/dev/shm", *options, app,
        )  # fmt: skip


class Uvicorn(Server):
    """It lets the signal end it when all is done, as if it had never caught it."""

    def __init__(self, sidecar, app):
        super().__init__(sidecar, "uvicorn", "--port=0", app, code=-signal.SIGTERM)


@pytest.mark.parametrize("options", [(), ("--preload",)], ids=["sync", "preload"])
def test_gunicorn_workers_recycled_lose_and_double_nothing(sidecar, options):
    """Workers end behind some requests each, by SIGTERM at the end, and others come."""
    each = 10
    requests = RECYCLED * each
    recycling = (f"--max-requests={each}", "--max-requests-jitter=5")
    with (
        Gunicorn(sidecar, *recycling, *options) as server,
        concurrent.futures.ThreadPoolExecutor(8) as pool,
    ):
        pids = set(pool.map(lambda value: get(server.port, value), range(requests)))
    eventually(lambda: sidecar.count("calls") == requests)
    assert sidecar.total("calls")["sum"] == sum(range(requests))
    served = 'http_server_requests{method="GET",status="200",route="/"}'
    assert sidecar.count(served) == requests
    print(f"{requests} requests, {len(pids)} workers, sidecar {sidecar.resident_kib()} KiB")
    assert len(pids) > WORKERS


def test_gunicorn_threads_lose_and_double_nothing(sidecar):
    """Not recycled: such a worker of Gunicorn then resets connections it has not answered."""
    with (
        Gunicorn(sidecar, "--worker-class=gthread", "--threads=4") as server,
        concurrent.futures.ThreadPoolExecutor(8) as pool,
    ):
        list(pool.map(lambda value: get(server.port, value), range(200)))
    eventually(lambda: sidecar.count("calls") == 200)
    assert sidecar.total("calls")["sum"] == sum(range(200))


def test_gunicorn_worker_killed_takes_its_last_interval_and_no_more(sidecar):
    with Gunicorn(sidecar) as server:
        pids = {get(server.port, value) for value in range(100)}
        eventually(lambda: sidecar.count("calls") == 100)
        os.kill(pids.pop(), signal.SIGKILL)
        for value in range(100):
            get(server.port, value)
    eventually(lambda: sidecar.count("calls") == 200)
    assert sidecar.total("calls")["sum"] == 2 * sum(range(100))


@pytest.mark.parametrize(
    ("serve", "ends"),
    [
        (lambda sidecar: Uvicorn(sidecar, "asgi_app:app"), 1),
        (lambda sidecar: Uvicorn(sidecar, "asgi_app:bare"), 0),
        (
            lambda sidecar: Gunicorn(
                sidecar, "--worker-class=uvicorn.workers.UvicornWorker", app="asgi_app:app"
            ),
            WORKERS,
        ),
    ],
    ids=["uvicorn", "without-lifespan", "worker-of-gunicorn"],
)
def test_sigterm_of_a_server_of_asgi_delivers(sidecar, serve, ends):
    with serve(sidecar) as server:
        for value in range(50):
            get(server.port, value)
    assert sidecar.count("calls") == 50
    assert sidecar.total("calls")["sum"] == sum(range(50))
    assert sidecar.count('http_server_requests{method="GET",status="200"}') == 50
    # Recorded by the application's own shutdown; workers that were not up at the signal have none.
    assert sidecar.count("shutdowns") == sidecar.count("startups")
    assert min(1, ends) <= sidecar.count("shutdowns") <= ends
