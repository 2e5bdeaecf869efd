"""What recording a value costs, beside peers, all in one run: ns a value of one thread.

    python benchmarks/record.py [ROUNDS]

Each takes the same log-normal nanoseconds around 1 ms. Of hdr-sidecar the time of sorting into
buckets is in it, though another thread does it: it holds the global lock. The least of the rounds
is what the code costs, the median what a busy machine made of it, and the ratio compares the least
with ours.
"""

import random
import statistics
import sys
import time

from hdr_sidecar import Client

NUMBER = 200_000
CHANCE = random.Random(1)
VALUES = [int(CHANCE.lognormvariate(13.8, 1)) for _ in range(NUMBER)]


def hdr_sidecar():
    recorder = Client.from_environment({}, enabled=False).recorder("calls")

    def run():
        record = recorder.record
        for at in range(0, NUMBER, 8_000):
            for value in VALUES[at : at + 8_000]:
                record(value)
            recorder.gather()

    return run


def hdr_sidecar_appending_only():
    recorder = Client.from_environment({}, enabled=False).recorder("calls")

    def run():
        record = recorder.record
        for at in range(0, NUMBER, 8_000):
            for value in VALUES[at : at + 8_000]:
                record(value)
            recorder._values.clear()

    return run


def each(record):
    def run():
        for value in VALUES:
            record(value)

    return run


def hdrhistogram():
    from hdrh.histogram import HdrHistogram

    return each(HdrHistogram(1, 3_600_000_000_000, 3).record_value)


def prometheus_client():
    from prometheus_client import CollectorRegistry, Histogram

    return each(Histogram("calls", "Calls.", registry=CollectorRegistry()).observe)


def _opentelemetry(aggregation=None):
    from opentelemetry.sdk.metrics import Histogram, MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader

    preferred = {Histogram: aggregation} if aggregation else {}
    reader = InMemoryMetricReader(preferred_aggregation=preferred)
    return each(MeterProvider([reader]).get_meter("m").create_histogram("calls").record)


def opentelemetry_explicit():
    return _opentelemetry()


def opentelemetry_exponential():
    from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation

    return _opentelemetry(ExponentialBucketHistogramAggregation())


def empty_loop():
    return each(int)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    peers = [
        empty_loop, hdr_sidecar, hdr_sidecar_appending_only, hdrhistogram, prometheus_client,
        opentelemetry_explicit, opentelemetry_exponential,
    ]  # fmt: skip
    runs = {}
    for peer in peers:
        try:
            runs[peer.__name__] = peer()
        except ImportError as error:
            print(f"left out: {peer.__name__}: {error}")
    nanos = {name: [] for name in runs}
    for _ in range(rounds):  # in turn, so that a busy moment is nobody's alone
        for name, run in runs.items():
            start = time.perf_counter_ns()
            run()
            nanos[name].append((time.perf_counter_ns() - start) / NUMBER)
    print(f"Python {sys.version.split()[0]}, {rounds} rounds of {NUMBER} values, ns a value")
    print(f"{'':28}{'least':>8}{'median':>8}{'ratio':>8}")
    ours = min(nanos[hdr_sidecar.__name__])
    for name, found in nanos.items():
        least, median = min(found), statistics.median(found)
        print(f"{name:28}{least:8.0f}{median:8.0f}{least / ours:8.2f}")


if __name__ == "__main__":
    main()
