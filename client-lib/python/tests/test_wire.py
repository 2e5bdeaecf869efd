"""Against PROTOCOL.md, whose session another program wrote."""

import re
import stat
from pathlib import Path

import pytest

from hdr_sidecar import RecorderConfig, _frames
from hdr_sidecar._crc32c import _pure, crc32c
from hdr_sidecar._delivery import Interval, Outgoing
from hdr_sidecar._frames import Ack, ProtocolError, Reader, Reject, Scope, Welcome
from hdr_sidecar._intervals import count
from hdr_sidecar._payload import parts
from hdr_sidecar._spill import lines, write
from hdr_sidecar.recorder import Recorder
from hdr_sidecar.series import SeriesKey, labels_of

PROTOCOL = Path(__file__).parents[3] / "PROTOCOL.md"
if not PROTOCOL.is_file():
    pytest.skip("PROTOCOL.md is not in a source distribution", allow_module_level=True)
TEXT = PROTOCOL.read_text("utf-8")
INSTANCE = bytes.fromhex("00112233445566778899aabbccddeeff")
START = 1_760_000_000_000


def session():
    return [
        bytes.fromhex("".join(line.split("|")[0] for line in block.splitlines()))
        for block in re.findall(r"(?ms)^```frame \w+\n(.*?)^```$", TEXT)
    ]


class Nobody:
    def start(self):
        return True

    def wake(self, recorder):
        pass


def recorder():
    key = SeriesKey("checkout", labels_of({"route": "/pay"}))
    return Recorder(key, RecorderConfig(help="Time to pay."), Nobody())


@pytest.mark.parametrize("function", [crc32c, _pure])
def test_crc_of_the_catalogue(function):
    assert function(b"123456789") == 0xE3069283
    assert function(b"") == 0
    assert [function(b"x" * n) for n in range(9)] == [_slow(b"x" * n) for n in range(9)]


def _slow(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_frames_are_those_of_the_document():
    golden = session()
    one = recorder()
    counts = count([1_000_000, 1_500_000, 1_500_000], one.layout, one.config.highest)
    raw, packed = (
        parts(counts, START, START + 1000, one.layout, one.config.highest, 1 << 20, level)[0]
        for level in (0, 1)
    )
    later = _frames.Figures(START + 1000, START + 2000, 3, 4_000_000, 1_000_000, 1_500_000)
    assert _frames.hello(INSTANCE, (("service", "shop"),), "secret") == golden[0]
    assert _frames.series(1, one.key, one.config) == golden[2]
    assert _frames.interval(1, 1, raw.figures, raw.payload, None) == golden[3]
    assert _frames.interval(2, 7, later, packed.payload, None) == golden[5]
    assert _frames.health({"pending_intervals": 0}) == golden[8]
    assert _frames.goodbye() == golden[9]


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_answers_are_read_however_they_are_cut(size):
    golden = session()
    stream = b"".join(golden[n] for n in (1, 4, 6, 7, 11))
    reader = Reader()
    answers = []
    for at in range(0, len(stream), size):
        answers.extend(reader.feed(stream[at : at + size]))
    assert answers == [
        Welcome(0, 1 << 20, 64, 1),
        Ack(1),
        Reject(Scope.INTERVAL, 2, 9, "series id 7 was not declared"),
        Ack(2),
        Welcome(41, 1 << 20, 64, 1),
    ]
    assert answers[2].reason == "unknown_series"


def test_every_flipped_bit_is_noticed():
    frame = session()[4]
    for bit in range(len(frame) * 8):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            answers = list(Reader().feed(bytes(damaged)))
        except ProtocolError:
            continue
        assert answers == []


def test_reasons_are_those_of_the_document():
    rows = re.findall(r"(?m)^\| (\d+) +\| (\w+) +\| \w", TEXT)
    assert {int(code): reason for code, reason in rows if reason.islower()} == _frames.REASONS


def test_spill_file_is_that_of_the_document():
    expected = re.search(r"(?ms)^```spill\n(.*?)^```$", TEXT)[1].encode()
    key = SeriesKey("checkout", labels_of({"route": "/pay"}))
    one = Recorder(key, RecorderConfig(), Nobody())
    one.created_millis = START
    counts = count([1_000_000, 1_500_000, 1_500_000], one.layout, one.config.highest)
    part = parts(counts, START + 1000, START + 2000, one.layout, one.config.highest, 1 << 20, 0)[0]
    intervals = [Interval(1, Outgoing(1, one), part, b"")]
    assert b"".join(lines(INSTANCE, (("service", "shop"),), intervals, level=0)) == expected


@pytest.mark.parametrize(("folder_mode", "mode"), [(0o700, 0o600), (0o770, 0o660)])
def test_spill_file_is_the_groups_where_the_folder_is(tmp_path, folder_mode, mode):
    tmp_path.chmod(folder_mode)
    file = write(tmp_path, INSTANCE, (), [])
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_spill_folder_that_is_made_is_its_owners_alone(tmp_path):
    write(tmp_path / "spill", INSTANCE, (), [])
    assert stat.S_IMODE((tmp_path / "spill").stat().st_mode) == 0o700
