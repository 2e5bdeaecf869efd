import random
from base64 import b64encode

import pytest
from hdrh.histogram import HdrHistogram
from sidecars import buckets_of, oracle

from hdr_sidecar._intervals import Counts, back_fill, count
from hdr_sidecar._layout import Layout
from hdr_sidecar._payload import compressed, parts, raw

TOP = 1 << 62


def values_around_powers(top):
    edges = {0, 1, 2, 3, top}
    for power in range(63):
        edges |= {(1 << power) + d for d in (-2, -1, 0, 1, 2)}
    chance = random.Random(7)
    edges |= {chance.randrange(1 << chance.randrange(1, 62)) for _ in range(5_000)}
    return sorted(v for v in edges if 0 <= v <= top)


def as_buckets(counts, layout):
    return {layout.lowest_at(layout.index_of_key(k)): n for k, n in counts.buckets.items()}


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("lowest", [1, 2, 1000, 1024, 1 << 20])
def test_index_is_that_of_hdrhistogram(lowest, digits):
    layout = Layout(lowest, digits)
    truth = HdrHistogram(lowest, 1 << 50, digits)
    for value in values_around_powers(1 << 50):
        index = layout.index(value)
        assert index == truth._counts_index_for(value)
        assert layout.lowest_at(index) == truth.get_lowest_equivalent_value(value)
        assert layout.highest_at(index) == truth.get_highest_equivalent_value(value)


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("lowest", [1, 7, 1 << 20])
def test_keys_of_many_values_are_those_of_each(lowest, digits):
    layout = Layout(lowest, digits)
    for top in (1 << 20, (1 << 53) - 1, 1 << 53, TOP):
        values = values_around_powers(top)
        keys = list(layout.keys(values, max(values)))
        assert keys == [layout.key(value) for value in values]
        assert [layout.index_of_key(k) for k in keys] == [layout.index(v) for v in values]
        assert keys == sorted(keys)


def test_counts_are_exact_beside_the_buckets():
    chance = random.Random(11)
    values = [int(chance.lognormvariate(13.8, 1)) for _ in range(20_000)]
    counts = count(values, Layout(1, 3), TOP)
    assert as_buckets(counts, Layout(1, 3)) == oracle(values)
    assert (counts.total, counts.sum) == (len(values), sum(values))
    assert (counts.smallest, counts.largest) == (min(values), max(values))


def test_values_outside_the_range_count_as_its_ends():
    counts = count([-5, 7, 2_000, 1_000], Layout(1, 3), 1_000)
    assert (counts.clamped_negative, counts.clamped_too_large) == (1, 1)
    assert (counts.total, counts.sum, counts.smallest, counts.largest) == (4, 2_007, 0, 1_000)


class Hostile:
    def __int__(self):
        raise RuntimeError("no")

    def __radd__(self, other):
        return 0


@pytest.mark.parametrize(
    ("odd", "total", "wrong", "too_large"),
    [
        (1.9, 1, 0, 0), (float("nan"), None, 1, 0), (float("inf"), 1_000, 0, 1), (None, None, 1, 0),
        ("7", None, 1, 0), (True, 1, 0, 0), (Hostile(), None, 1, 0), ([1], None, 1, 0),
        (10**400, 1_000, 0, 1), (-(10**400), 0, 0, 0), (1e300, 1_000, 0, 1),
    ],
)  # fmt: skip
def test_odd_values_do_not_fail(odd, total, wrong, too_large):
    counts = count([5, odd, 6], Layout(1, 3), 1_000)
    assert counts.not_numbers == wrong
    assert counts.clamped_too_large == too_large
    assert counts.total == (2 if total is None else 3)
    assert counts.sum == 11 + (total or 0)


@pytest.mark.parametrize(
    ("value", "interval"),
    [(10, 1), (1_000_000, 1_000), (999, 500), (1_000, 500), (1_999, 1_000), (123_457, 13), (5, 0)],
)
def test_back_fill_is_each_value_that_was_missed(value, interval):
    """As `AbstractHistogram.recordValueWithExpectedInterval` of Java has it: the port adds one."""
    layout = Layout(1, 3)
    counts = count([value], layout, TOP)
    back_fill(counts, layout, value, interval)
    missed = range(value - interval, interval - 1, -interval) if interval else ()
    assert as_buckets(counts, layout) == oracle([value, *missed], TOP)
    assert (counts.total, counts.sum) == (1 + len(missed), value + sum(missed))


def test_back_fill_of_an_hour_at_a_microsecond_is_quick_and_exact():
    counts = Counts()
    back_fill(counts, Layout(1, 3), 3_600_000_000_000, 1_000)
    assert counts.total == 3_600_000_000 - 1
    assert counts.sum == 1_000 * (3_599_999_999 * 3_600_000_000 // 2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_payload_is_read_by_hdrhistogram(seed):
    chance = random.Random(seed)
    values = [int(chance.lognormvariate(10, 4)) % (1 << 40) for _ in range(5_000)]
    layout = Layout(1, 3)
    counts = count(values, layout, 1 << 41)
    buckets = [(layout.index_of_key(k), n) for k, n in sorted(counts.buckets.items())]
    payload = compressed(raw(buckets, layout, 1 << 41), 1)
    assert buckets_of(HdrHistogram.decode(b64encode(payload))) == oracle(values, 1 << 41)


def test_parts_add_up_to_the_whole():
    chance = random.Random(5)
    layout = Layout(1, 3)
    counts = count([int(2 ** chance.uniform(0, 40)) for _ in range(20_000)], layout, 1 << 41)
    found = parts(counts, 1, 2, layout, 1 << 41, 2_000, 1)
    assert len(found) > 3
    assert all(len(one.payload) + 72 <= 2_000 for one in found)
    whole = Counts()
    for one in found:
        whole.add(one.counts(layout))
    assert whole == counts
    for one in found:
        decoded = HdrHistogram.decode(b64encode(one.payload))
        assert decoded.get_total_count() == one.figures.total
        low, high = layout.lowest_at(one.buckets[0][0]), layout.highest_at(one.buckets[-1][0])
        assert low <= one.figures.smallest <= one.figures.largest <= high
        assert low * one.figures.total <= one.figures.sum <= high * one.figures.total
