// Sends values with OpenTelemetry's SDK for Node. Arguments: the endpoint, proto or json, base2 or explicit, delta or
// cumulative, the service's instance, and a file with a number of seconds in each line. Exports after each half.
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
    buckets === 'base2' ? [{ instrumentName: '*', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }] : [],
});
const histogram = provider.getMeter('test').createHistogram('sdk.time', { unit: 's' });
const values = fs.readFileSync(path, 'ascii').trim().split('\n').map(Number);

async function run() {
  for (const half of [values.slice(0, values.length / 2), values.slice(values.length / 2)]) {
    half.forEach((value) => histogram.record(value, { route: '/pay' }));
    await provider.forceFlush();
  }
  await provider.shutdown();
}
run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
