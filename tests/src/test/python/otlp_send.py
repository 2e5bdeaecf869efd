"""Sends values with OpenTelemetry's SDK for Python. Arguments: the endpoint, base2 or explicit, delta or cumulative,
the service's instance, a file with a number of seconds in each line, and http or grpc. Exports after each half. Each
value is also added to a counter, and its number in the file is what a gauge shows."""
import sys
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as HttpExporter
from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource

endpoint, buckets, temporality, instance, path, protocol = sys.argv[1:]
delta = AggregationTemporality.DELTA if temporality == "delta" else AggregationTemporality.CUMULATIVE
exporter = (GrpcExporter if protocol == "grpc" else HttpExporter)(endpoint=endpoint, preferred_temporality={Counter: delta, Histogram: delta})
reader = PeriodicExportingMetricReader(exporter, export_interval_millis=3_600_000)
views = [View(instrument_name="sdk.time", aggregation=ExponentialBucketHistogramAggregation())] if buckets == "base2" else []
provider = MeterProvider([reader], Resource({"service.name": "sdk", "service.instance.id": instance}), views=views)
meter = provider.get_meter("test")
histogram = meter.create_histogram("sdk.time", "s")
counter = meter.create_counter("sdk.busy", "s")
gauge = meter.create_gauge("sdk.last", "{value}")
with open(path, encoding="ascii") as lines:
    values = [float(line) for line in lines]
for first in 0, len(values) // 2:
    for i, value in enumerate(values[first : first + len(values) // 2], first + 1):
        histogram.record(value, {"route": "/pay"})
        counter.add(value, {"route": "/pay"})
        gauge.set(i, {"route": "/pay"})
    assert provider.force_flush(30_000)
provider.shutdown()
