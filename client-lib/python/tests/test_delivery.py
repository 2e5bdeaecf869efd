"""With a real sidecar."""

import asyncio
import itertools
import random
import socket
import threading
import time

import pytest
import trustme
from sidecars import CuttingProxy, eventually, oracle

from hdr_sidecar import RecorderConfig, Unit


def lognormal(seed, number):
    chance = random.Random(seed)
    return [int(chance.lognormvariate(13.8, 1.5)) for _ in range(number)]


def assert_counted(sidecar, selector, values):
    total = sidecar.total(selector)
    assert total["count"] == len(values)
    assert total["sum"] == sum(values)
    assert (total["min"], total["max"]) == (min(values), max(values))
    assert sidecar.buckets(selector) == oracle(values)


def test_every_bucket_is_that_of_hdrhistogram(sidecar, clients):
    client = clients(sidecar, common_labels={"service": "shop"})
    values = lognormal(1, 100_000)
    checkout = client.recorder("checkout", {"route": "/pay ü"})
    for value in values:
        checkout.record(value)
    assert client.close(30).delivered_all
    assert_counted(sidecar, 'checkout{service="shop",route="/pay ü"}', values)
    assert "checkout_seconds_count{" in sidecar.metrics()
    health = client.health()
    assert health.harvested_values == health.acknowledged_values == 100_000
    assert health.lost_values == {}


@pytest.mark.parametrize("unit", list(Unit))
def test_units_and_layouts(sidecar, clients, unit):
    client = clients(sidecar)
    values = [0, 1, 5, 1_000, 4_096, 123_456]
    for digits in range(1, 5):
        config = RecorderConfig(unit=unit, lowest=1, highest=1 << 20, digits=digits, help="h")
        recorder = client.recorder(f"{unit.symbol}_{digits}", None, config)
        for value in values:
            recorder.record(value)
    assert client.close(30).delivered_all
    for digits in range(1, 5):
        assert sidecar.buckets(f"{unit.symbol}_{digits}") == oracle(values, 1 << 20, digits)
    assert client.health().lost_values == {}


def test_values_recorded_after_a_close_are_delivered(sidecar, clients):
    client = clients(sidecar)
    calls = client.recorder("calls")
    for number in range(1, 6):
        calls.record(number)
        assert client.close(30).delivered_all
    calls.record(6)
    eventually(lambda: sidecar.count("calls") == 6)
    assert sidecar.total("calls")["sum"] == 21


def test_close_of_a_client_without_values_is_at_once(clients):
    assert clients("tcp://127.0.0.1:1").close(60).delivered_all


def test_threads_that_record_and_close_at_once_lose_nothing(sidecar, clients):
    client = clients(sidecar)
    calls = client.recorder("calls")

    def record():
        for value in range(200):
            calls.record(value)
            if value % 20 == 0:
                client.close(30)

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.close(30).delivered_all
    assert sidecar.total("calls")["count"] == 800
    assert sidecar.total("calls")["sum"] == 4 * sum(range(200))


def test_sidecar_killed_and_restarted_nothing_is_lost_or_doubled(sidecars, clients, tmp_path):
    sidecar = sidecars(f"--journal-directory={tmp_path}")
    client = clients(sidecar)
    calls = client.recorder("calls")
    values = lognormal(2, 60_000)
    rest = iter(values)

    def record(number):
        for value in itertools.islice(rest, number):
            calls.record(value)

    for _ in range(2):
        before = client.health().acknowledged_values
        record(20_000)
        eventually(lambda before=before: client.health().acknowledged_values > before)
        record(5_000)
        sidecar.kill()
        record(5_000)
        sidecar.restart()
    assert client.close(60).delivered_all
    assert_counted(sidecar, "calls", values)
    assert client.health().reconnects >= 2
    assert client.health().lost_values == {}


def test_sidecar_that_comes_late_gets_everything_joined(sidecars, clients):
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    client = clients(f"tcp://127.0.0.1:{port}", interval=0.01)
    calls = client.recorder("calls")
    values = lognormal(3, 2_000)
    for value in values:
        calls.record(value)
        if value % 50 == 0:
            time.sleep(0.001)
    eventually(lambda: client.health().harvested_values == len(values))
    assert client.health().pending_intervals == 1
    sidecar = sidecars(ingest_port=port)
    assert client.close(60).delivered_all
    assert_counted(sidecar, "calls", values)


@pytest.mark.parametrize("first", [7, 61, 200])
def test_connection_cut_in_the_middle_of_frames(sidecar, clients, first):
    proxy = CuttingProxy(sidecar.port, first)
    client = clients(f"tcp://127.0.0.1:{proxy.port}", interval=0.01, common_labels=sidecar.labels)
    recorders = [client.recorder("calls", {"n": str(n)}) for n in range(5)]
    values = lognormal(first, 3_000)
    for at, value in enumerate(values):
        recorders[at % 5].record(value)
        if at % 100 == 0:
            time.sleep(0.005)
    assert client.close(60).delivered_all
    proxy.close()
    assert proxy.cuts > 3
    for n in range(5):
        assert_counted(sidecar, f'calls{{n="{n}"}}', values[n::5])
    assert client.health().lost_values == {}


def test_unix_socket(sidecars, clients, tmp_path):
    sidecar = sidecars(f"--ingest-unix-socket={tmp_path}/s")
    client = clients(f"unix://{tmp_path}/s")
    client.recorder("calls").record(7)
    assert client.close(30).delivered_all
    assert sidecar.count("calls") == 1


@pytest.fixture
def tls_files(tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    for name in ("127.0.0.1", "client"):
        made = authority.issue_cert(name)
        made.private_key_pem.write_to_path(tmp_path / f"{name}.sec1.pem")
        _as_pkcs8(tmp_path / f"{name}.sec1.pem", tmp_path / f"{name}.key")
        chain = b"".join(pem.bytes() for pem in made.cert_chain_pems)
        (tmp_path / f"{name}.pem").write_bytes(chain)
    return tmp_path


def _as_pkcs8(source, target):
    from cryptography.hazmat.primitives import serialization as kinds

    key = kinds.load_pem_private_key(source.read_bytes(), None)
    target.write_bytes(
        key.private_bytes(kinds.Encoding.PEM, kinds.PrivateFormat.PKCS8, kinds.NoEncryption())
    )


def test_tls_with_certificates_on_both_sides(sidecars, clients, tls_files):
    sidecar = sidecars(
        f"--tls-certificate={tls_files}/127.0.0.1.pem", f"--tls-key={tls_files}/127.0.0.1.key",
        f"--tls-client-ca={tls_files}/ca.pem", "--http-tls=off",
    )  # fmt: skip
    address = sidecar.address.replace("tcp:", "tls:")
    client = clients(
        address, tls_ca=tls_files / "ca.pem", tls_certificate=tls_files / "client.pem",
        tls_key=tls_files / "client.key",
    )  # fmt: skip
    values = lognormal(9, 20_000)
    for value in values:
        client.recorder("calls").record(value)
    assert client.close(30).delivered_all
    assert_counted(sidecar, "calls", values)

    stranger = clients(address, tls_ca=tls_files / "ca.pem")
    stranger.recorder("calls").record(1)
    assert stranger.close(0.5).undelivered_values == 1
    trusting_nobody = clients(address)
    trusting_nobody.recorder("calls").record(1)
    assert trusting_nobody.close(0.5).undelivered_values == 1
    assert sidecar.count("calls") == len(values)


def test_token_that_changes_in_its_file(sidecars, clients, tmp_path):
    (tmp_path / "tokens").write_text("right\n")
    (tmp_path / "token").write_text("wrong\n")
    sidecar = sidecars(f"--ingest-token-file={tmp_path}/tokens")
    client = clients(sidecar, token_file=tmp_path / "token")
    client.recorder("calls").record(7)
    assert client.close(0.5).undelivered_values == 1
    assert sidecar.count("calls") == 0
    (tmp_path / "token").write_text("right\n")
    assert client.close(30).delivered_all
    assert sidecar.count("calls") == 1


def test_spill_file_is_picked_up_once(sidecars, clients, tmp_path):
    sidecar = sidecars()
    port = sidecar.port
    client = clients(sidecar, spill_folder=tmp_path / "spill", common_labels={"pod": "ü"})
    labels = {"route": '/pay,;={}~"% '}
    calls = client.recorder("calls", labels, RecorderConfig(help="100% {sure}"))
    values = lognormal(4, 5_000)
    for value in values[:2_000]:
        calls.record(value)
    eventually(lambda: client.health().acknowledged_values == 2_000)
    sidecar.kill()
    for value in values[2_000:]:
        calls.record(value)
    result = client.close(0.3)
    assert (result.spilled_values, result.undelivered_values) == (3_000, 0)
    assert client.health().spilled_values == 3_000
    second = sidecars(
        f"--spill-folder={tmp_path / 'spill'}", "--spill-scan-interval=100ms", ingest_port=port
    )
    eventually(lambda: second.count("calls") == 3_000)
    assert_counted(second, "calls", values[2_000:])
    assert 'hdr_sidecar_spill_files_total{result="damaged"} 0.0\n' in second.metrics()
    eventually(lambda: not list((tmp_path / "spill").glob("*.hlog")))


def test_series_and_intervals_that_are_refused_are_counted_by_reason(sidecars, clients):
    sidecar = sidecars("--series-max-counters=1024", "--series-max-label-length=64")
    client = clients(sidecar)
    client.recorder("ok", None, RecorderConfig(digits=1, highest=1_000)).record(1)
    client.recorder("wide", None, RecorderConfig(digits=5)).record(1)
    client.recorder("long", {"a": "x" * 100}, RecorderConfig(digits=1)).record(1)
    assert client.close(30).delivered_all  # nothing waits; what is lost is stated
    assert sum(client.health().lost_values.values()) == 2
    assert set(client.health().lost_values) == {"configuration_limit"}
    assert sidecar.count("ok") == 1


def test_series_of_another_unit_is_refused(sidecar, clients):
    first, second = clients(sidecar), clients(sidecar)
    first.recorder("calls").record(1)
    assert first.close(30).delivered_all
    second.recorder("calls", None, RecorderConfig(unit=Unit.BYTES)).record(1)
    second.close(30)
    assert sum(second.health().lost_values.values()) == 1
    assert sidecar.count("calls") == 1


def test_connection_that_is_refused_waits(sidecars, clients):
    sidecar = sidecars("--ingest-max-connections=1")
    first, second = clients(sidecar), clients(sidecar)
    first.recorder("calls").record(1)
    eventually(lambda: first.health().acknowledged_values == 1)
    second.recorder("calls").record(2)
    assert second.close(0.3).undelivered_values == 1
    assert first.close(30).delivered_all
    assert second.close(30).delivered_all
    assert sidecar.total("calls")["sum"] == 3


def test_interval_longer_than_a_frame_is_sent_in_parts(sidecars, clients):
    sidecar = sidecars("--ingest-max-body=4KiB")
    client = clients(sidecar, interval=10)
    chance = random.Random(6)
    values = [int(2 ** chance.uniform(0, 41)) for _ in range(30_000)]
    for value in values:
        client.recorder("calls").record(value)
    assert client.close(30).delivered_all
    assert client.health().sent_intervals > 3
    assert_counted(sidecar, "calls", values)


def test_exemplar_arrives(sidecar, clients):
    client = clients(sidecar)
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    client.recorder("calls").record(5_000_000, trace, "00f067aa0ba902b7")
    assert client.close(30).delivered_all
    page = sidecar.get("/metrics", accept="application/openmetrics-text; version=1.0.0")
    assert f'trace_id="{trace}"' in page


def test_health_is_shown_by_the_sidecar(sidecar, clients):
    client = clients(sidecar)
    client.recorder("calls").record(-1)
    eventually(lambda: "hdr_sidecar_client_clamped_negative_total" in sidecar.metrics())
    assert "hdr_sidecar_health_unknown_figures_total 0.0" in sidecar.metrics()


def test_corrected_series_is_beside_the_raw_one(sidecar, clients):
    client = clients(sidecar)
    client.recorder("calls").record_with_expected_interval(1_000_000, 1_000)
    assert client.close(30).delivered_all
    assert sidecar.count('calls{corrected=""}') == 1
    assert sidecar.count('calls{corrected="expected_interval"}') == 1_000


def test_coroutines_record_and_close_while_the_loop_runs(sidecar, clients):
    client = clients(sidecar)
    calls = client.recorder("calls")

    async def call():
        async with calls.time():
            await asyncio.sleep(0.001)

    async def main():
        await asyncio.gather(*(call() for _ in range(500)))
        ticks = 0
        closing = asyncio.create_task(client.aclose(30))
        while not closing.done():
            await asyncio.sleep(0)
            ticks += 1
        return closing.result(), ticks

    result, ticks = asyncio.run(main())
    assert result.delivered_all
    assert ticks > 1
    assert sidecar.count("calls") == 500
