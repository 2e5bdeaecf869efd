// Sends values with OpenTelemetry's SDK for Node. Arguments: the endpoint, proto or json, base2 or explicit, delta or
// cumulative, the service's instance, and a file with a number of seconds in each line. Exports after each half. Each
// value is also added to a counter, and its number in the file is what a gauge shows.
const fs = require('fs');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} = require('@opentelemetry/sdk-metrics');

const [url, form, buckets, temporality, instance, path] = process.argv.slice(2);
const { OTLPMetricExporter } = require(
  form === 'json' ? '@opentelemetry/exporter-metrics-otlp-http' : '@opentelemetry/exporter-metrics-otlp-proto',
);
const exporter = new OTLPMetricExporter({
  url,
  compression: 'gzip',
  temporalityPreference: temporality === 'delta' ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
});
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const provider = new MeterProvider({
  resource: resourceFromAttributes({ 'service.name': 'sdk', 'service.instance.id': instance }),
  readers: [reader],
  views:
    buckets === 'base2'
      ? [{ instrumentName: 'sdk.time', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }]
      : [],
});
const meter = provider.getMeter('test');
const histogram = meter.createHistogram('sdk.time', { unit: 's' });
const counter = meter.createCounter('sdk.busy', { unit: 's' });
const gauge = meter.createGauge('sdk.last', { unit: '{value}' });
const values = fs.readFileSync(path, 'ascii').trim().split('\n').map(Number);

async function run() {
  for (const first of [0, values.length / 2]) {
    values.slice(first, first + values.length / 2).forEach((value, i) => {
      histogram.record(value, { route: '/pay' });
      counter.add(value, { route: '/pay' });
      gauge.record(first + i + 1, { route: '/pay' });
    });
    await provider.forceFlush();
  }
  await provider.shutdown();
}
run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
