import random
import re
from pathlib import Path

import pytest

from hdr_sidecar import Client, ClientConfig, RecorderConfig, Schedule
from hdr_sidecar.series import SeriesKey, labels_of


def test_environment_sets_everything():
    config = ClientConfig.from_environment(
        {
            "HDR_SIDECAR_ADDRESS": "tls://sidecar:9924",
            "HDR_SIDECAR_ENABLED": "false",
            "HDR_SIDECAR_INTERVAL": "500ms",
            "HDR_SIDECAR_LABELS": "service=shop, zone=a",
            "HDR_SIDECAR_TOKEN_FILE": "/token",
            "HDR_SIDECAR_TLS_CA": "/ca.pem",
            "HDR_SIDECAR_TLS_CERTIFICATE": "/cert.pem",
            "HDR_SIDECAR_TLS_KEY": "/key.pem",
            "HDR_SIDECAR_SPILL_FOLDER": "/spill",
            "HDR_SIDECAR_TOKEN": "",
        },
        close_timeout=5,
    )
    assert config == ClientConfig(
        address="tls://sidecar:9924", enabled=False, interval=0.5,
        common_labels={"service": "shop", "zone": "a"}, token_file=Path("/token"),
        tls_ca=Path("/ca.pem"), tls_certificate=Path("/cert.pem"), tls_key=Path("/key.pem"),
        spill_folder=Path("/spill"), close_timeout=5,
    )  # fmt: skip


def test_environment_names_all_that_is_wrong():
    with pytest.raises(ValueError, match="environment of hdr-sidecar's client") as caught:
        ClientConfig.from_environment(
            {
                "HDR_SIDECAR_ADDRESS": "localhost:9924",
                "HDR_SIDECAR_ENABLED": "yes",
                "HDR_SIDECAR_INTERVAL": "1.5s",
                "HDR_SIDECAR_LABELS": "le=1",
            }
        )
    for name in ("ADDRESS", "ENABLED", "INTERVAL", "LABELS"):
        assert f"HDR_SIDECAR_{name}:" in str(caught.value)
    with pytest.raises(TypeError, match="intervall"):
        ClientConfig.from_environment({}, intervall=1)


@pytest.mark.parametrize(
    ("mistaken", "meant"),
    [
        ("ADRESS", "ADDRESS"),
        ("ADDRESSES", "ADDRESS"),
        ("INTERAVL", "INTERVAL"),
        ("LABEL", "LABELS"),
        ("TOKENFILE", "TOKEN_FILE"),
        ("TLS_CERT_FICATE", "TLS_CERTIFICATE"),
    ],
)
def test_a_mistaken_name_is_ignored_with_one_warning(mistaken, meant, caplog):
    config = ClientConfig.from_environment({f"HDR_SIDECAR_{mistaken}": "x"})

    assert config == ClientConfig()
    assert caplog.messages == [
        f"unknown variable HDR_SIDECAR_{mistaken} is ignored: did you mean HDR_SIDECAR_{meant}?"
    ]


def test_names_of_others_are_no_mistakes(caplog):
    settings = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text("utf-8")
    names = [
        name.upper().translate(str.maketrans(".-", "__"))
        for name in re.findall(r"(?m)^\| `([a-z0-9.-]+)` ", settings)
    ]
    names += ["HICCUPS", "HICCUPS_DELAY", "CRASH_FOLDER", "SPILL_PICKUP", "SERVICE_HOST", "PORT"]
    assert "HTTP_PORT" in names
    taken = ("TLS_CERTIFICATE", "TLS_KEY", "SPILL_FOLDER")  # the sidecar's and ours

    ClientConfig.from_environment({f"HDR_SIDECAR_{n}": "x" for n in names if n not in taken})

    assert caplog.messages == []


def test_paths_may_be_text():
    config = ClientConfig(spill_folder="/spill", token_file="/token")
    assert (config.spill_folder, config.token_file) == (Path("/spill"), Path("/token"))


def test_a_label_is_left_for_the_corrected_series():
    client = Client(ClientConfig(enabled=False, common_labels={"service": "shop"}))
    labels = {f"l{number}": "x" for number in range(30)}
    client.recorder("calls", labels).record_with_expected_interval(10, 1)
    with pytest.raises(ValueError, match="at most 31 labels"):
        client.recorder("calls", {**labels, "more": "x"})


def test_a_token_file_is_read_without_its_byte_order_mark(tmp_path):
    file = tmp_path / "token"
    file.write_bytes(b"\xef\xbb\xbfab\r\n")  # As editors of Windows write it.
    assert ClientConfig(token_file=file).current_token() == "ab"


def test_token_is_not_shown():
    assert "secret" not in repr(ClientConfig(token="secret"))


@pytest.mark.parametrize(
    "address",
    ["tcp://h:1", "tls://h.example:65535", "tcp://[::1]:9924", "tcp://127.0.0.1:1", "unix:///a/b"],
)
def test_addresses(address):
    assert ClientConfig(address=address).address == address


@pytest.mark.parametrize(
    "address",
    [
        "", "h:1", "tcp://h", "tcp://h:0", "tcp://h:65536", "tcp://h:x", "tcp://u@h:1",
        "tcp://h:1/p", "tcp://h:1?q", "http://h:1", "unix://a", "unix:///", "unix:///" + "x" * 107,
    ],
)  # fmt: skip
def test_addresses_that_are_none(address):
    with pytest.raises(ValueError, match="address must be"):
        ClientConfig(address=address)


@pytest.mark.parametrize(
    "settings",
    [
        {"interval": 0}, {"token": "a", "token_file": Path("b")}, {"tls_key": Path("k")},
        {"min_backoff": 20}, {"max_series": 0}, {"common_labels": {"job": "x"}},
        {"token": "x" * 5000}, {"tls_ca": Path("ca.pem")}, {"token": "\udc80"},
        {"token": "x" * 4000, "common_labels": {"a": "x" * 100}},
        {"common_labels": {"corrected": "x"}}, {"common_labels": {"overflow": "true"}},
    ],
)  # fmt: skip
def test_settings_that_cannot_be(settings):
    with pytest.raises(ValueError, match=r"\w"):
        ClientConfig(**settings)


@pytest.mark.parametrize(
    "labels",
    [{"le": "1"}, {"__x": "1"}, {"a-b": "1"}, {"a": "\ud800"}, {"a": "x" * 1025}, {"a": 1}],
)
def test_labels_that_cannot_be(labels):
    with pytest.raises(ValueError, match="label"):
        labels_of(labels)


@pytest.mark.parametrize("name", ["", "a-b", "1a", "x" * 201, "a b"])
def test_names_that_cannot_be(name):
    with pytest.raises(ValueError, match="series name"):
        SeriesKey(name, ())


@pytest.mark.parametrize(
    "config",
    [{"digits": 6}, {"lowest": 0}, {"highest": 1}, {"highest": 1 << 63}, {"lowest": 1 << 60},
     {"highest": 1e12}, {"lowest": 1.0}, {"digits": 2.0}, {"unit": "ms"}],
)  # fmt: skip
def test_ranges_that_cannot_be(config):
    with pytest.raises(ValueError, match=r"must be|cannot be"):
        RecorderConfig(**config)


def test_fixed_rate_does_not_drift():
    offsets = list(Schedule.fixed_rate(3, calls=7).offsets())
    assert offsets == [n * 1_000_000_000 // 3 for n in range(7)]


def test_poisson_has_its_rate():
    offsets = list(Schedule.poisson(1_000, calls=50_000, seed=1).offsets())
    assert offsets == sorted(offsets)
    assert offsets[-1] == pytest.approx(50_000_000_000, rel=0.05)
    assert list(Schedule.poisson(5, calls=9, seed=2).offsets()) != list(
        Schedule.poisson(5, calls=9, seed=random.Random(1).random()).offsets()
    )


@pytest.mark.parametrize("rate", [0, -1, 1e10, float("nan")])
def test_rates_that_cannot_be(rate):
    with pytest.raises(ValueError, match="calls per second"):
        Schedule.fixed_rate(rate)
