'use strict';

/**
 * What recording a value costs, beside peers, all in one run: ns a value.
 *
 *     node benchmarks/record.js [ROUNDS]
 *
 * Each takes the same log-normal nanoseconds around 1 ms, and runs in a process of its own, so that
 * nobody's code is compiled for the values of others. The processes run in turn, so that a busy
 * moment is nobody's alone. The least of the rounds is what the code costs, the median what a busy
 * machine made of it, and the ratio compares the least with ours.
 */

const { execFileSync } = require('node:child_process');

const NUMBER = 1_000_000;

function lognormal() {
  let state = 1;
  const chance = () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
  return Array.from({ length: NUMBER }, () => {
    const normal = Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance());
    return Math.floor(Math.exp(13.8 + normal));
  });
}

function opentelemetry(type) {
  const { AggregationTemporality, AggregationType, InMemoryMetricExporter } = require('@opentelemetry/sdk-metrics');
  const { MeterProvider, PeriodicExportingMetricReader } = require('@opentelemetry/sdk-metrics');
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const views = [{ instrumentName: 'calls', aggregation: { type: AggregationType[type] } }];
  const histogram = new MeterProvider({ readers: [reader], views }).getMeter('m').createHistogram('calls');
  return (value) => histogram.record(value);
}

const PEERS = {
  'empty loop': () => {
    let sum = 0;
    return (value) => (sum += value);
  },
  'hdr-sidecar': () => {
    const { Client } = require('..');
    const recorder = new Client({ address: 'tcp://127.0.0.1:1', logger: { info() {}, warn() {} } }).recorder('calls');
    return (value) => recorder.record(value);
  },
  'hdr-histogram-js': () => {
    const histogram = require('hdr-histogram-js').build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: 3_600_000_000_000,
      numberOfSignificantValueDigits: 3,
    });
    return (value) => histogram.recordValue(value);
  },
  'hdr-histogram-js, wasm': async () => {
    const hdr = require('hdr-histogram-js');
    await hdr.initWebAssembly();
    const histogram = hdr.build({
      highestTrackableValue: 3_600_000_000_000,
      numberOfSignificantValueDigits: 3,
      useWebAssembly: true,
    });
    return (value) => histogram.recordValue(value);
  },
  perf_hooks: () => {
    const histogram = require('node:perf_hooks').createHistogram({ lowest: 1, highest: 3_600_000_000_000, figures: 3 });
    return (value) => histogram.record(value);
  },
  'prom-client': () => {
    const { Histogram, Registry } = require('prom-client');
    const histogram = new Histogram({ name: 'calls', help: 'Calls.', registers: [new Registry()] });
    return (value) => histogram.observe(value / 1e9);
  },
  'OpenTelemetry, explicit': () => opentelemetry('EXPLICIT_BUCKET_HISTOGRAM'),
  'OpenTelemetry, exponential': () => opentelemetry('EXPONENTIAL_HISTOGRAM'),
};

async function measure(name) {
  const record = await PEERS[name]();
  const values = lognormal();
  let least = Infinity;
  for (let turn = 0; turn < 5; turn++) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < NUMBER; at++) {
      record(values[at]);
    }
    least = Math.min(least, Number(process.hrtime.bigint() - start) / NUMBER);
  }
  console.log(least);
  process.exit();
}

function main(rounds) {
  const nanos = Object.fromEntries(Object.keys(PEERS).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(PEERS)) {
      nanos[name].push(Number(execFileSync(process.execPath, [__filename, '--measure', name], { encoding: 'utf8' })));
    }
  }
  console.log(`Node ${process.version}, ${rounds} rounds of 5 times ${NUMBER} values, ns a value`);
  console.log(`${''.padEnd(28)}${'least'.padStart(8)}${'median'.padStart(8)}${'ratio'.padStart(8)}`);
  const ours = Math.min(...nanos['hdr-sidecar']);
  for (const [name, found] of Object.entries(nanos)) {
    const sorted = found.sort((one, other) => one - other);
    const shown = [sorted[0].toFixed(1), sorted[sorted.length >> 1].toFixed(1), (sorted[0] / ours).toFixed(2)];
    console.log(name.padEnd(28) + shown.map((text) => text.padStart(8)).join(''));
  }
}

if (process.argv[2] === '--measure') {
  measure(process.argv[3]);
} else {
  main(Number(process.argv[2] ?? 9));
}
