// The program that docs/conformance.md draws, with the client of client-lib/node.

import { createInterface } from 'node:readline';
import { Client } from 'hdr-sidecar';

const SETTINGS = {
  close_timeout_ms: 'closeTimeoutMillis',
  stall_timeout_ms: 'stallTimeoutMillis',
  min_backoff_ms: 'minBackoffMillis',
  max_backoff_ms: 'maxBackoffMillis',
};

const settings = {};
const recorders = new Map();
let client;

/** Made at the first line that is no setting. */
function made() {
  return (client ??= Client.fromEnvironment(settings));
}

const lines = {
  set(name, number) {
    settings[SETTINGS[name]] = Number(number);
  },
  series(n, name, unit, lowest, highest, digits, ...pairs) {
    const labels = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
    const options = { unit, lowest: Number(lowest), highest: BigInt(highest), digits: Number(digits) };
    recorders.set(n, made().recorder(name, labels, options));
  },
  record(n, value, times = '1') {
    for (let left = Number(times); left > 0; left--) {
      recorders.get(n).record(BigInt(value));
    }
  },
  expected(n, value, interval) {
    recorders.get(n).recordWithExpectedInterval(BigInt(value), BigInt(interval));
  },
  async close() {
    await made().close();
    process.exit();
  },
};

for await (const line of createInterface(process.stdin)) {
  const [command, ...words] = line.split(' ');
  await lines[command](...words);
}
