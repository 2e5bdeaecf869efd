// The Node client in the chaos: what io.hdrsidecar.tests.chaos.ChaosClient says holds here, too, but for one thread.
//
// Arguments: address of the sidecar, label run, name of the files, their folder, seed.

import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'hdr-sidecar';

const SERIES = 50;
const BATCH = 25;
const BATCH_MILLIS = 5;
const HIGHEST = 3_600_000_000_000;
const FINISH = 'f'.charCodeAt(0);
const EXIT_NO_TRUTH = 3;
const EXIT_ORPHAN = 4;
const EXIT_SIGTERM = 128 + 15;
const LOOK_MILLIS = 10;
/** Longest that the load stands still for the ledger, and that it then runs. */
const STANDING_MILLIS = 400;

const [address, run, life, folder, seed] = process.argv.slice(2);

const client = new Client({
  address,
  commonLabels: { run },
  intervalMillis: 200,
  stallTimeoutMillis: 2000,
  minBackoffMillis: 20,
  maxBackoffMillis: 500,
  spillFolder: join(folder, 'spill'),
});
const recorders = Array.from({ length: SERIES }, (_, n) =>
  client.recorder('chaos', { series: String(n).padStart(2, '0') }, { highest: HIGHEST, digits: 2 }),
);
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(EXIT_NO_TRUTH);
});

const truth = openSync(join(folder, `${life}.thread0.truth`), 'wx');
let ledger = -1;
let recorded = 0;
let standsUntil = 0;
let runsUntil = 0;
let said = '';

/** Numbers from 0 to 1 that the seed decides: a linear congruential generator, of which the upper bits are used. */
let state = BigInt.asUintN(64, BigInt(seed));
function random() {
  state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
  return Number(state >> 11n) / 2 ** 53;
}

/** Log-normal around 1 ms, and of every fiftieth a Pareto tail up to the hour. */
function someTime() {
  const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let value = 1e6 * Math.exp(1.5 * gauss);
  if (random() < 0.02) {
    value *= (1 - random()) ** (-1 / 0.9);
  }
  return Math.floor(Math.min(HIGHEST, value));
}

/** Writes a batch to the truth file, and then to the recorders. */
function load() {
  if (standsUntil) {
    return;
  }
  const batch = Array.from({ length: BATCH }, () => [Math.floor(random() * SERIES), someTime()]);
  const bytes = Buffer.alloc(8 * BATCH);
  batch.forEach(([series, value], n) => bytes.writeBigUInt64BE((BigInt(series) << 56n) | BigInt(value), 8 * n));
  if (writeSync(truth, bytes) !== bytes.length) {
    throw new Error('written in part');
  }
  batch.forEach(([series, value]) => recorders[series].record(value));
  recorded += BATCH;
}

/** Writes down which values must have been acknowledged: while nothing is recorded, all are when their number is. */
function look() {
  const now = performance.now();
  const acknowledged = health().acknowledgedValues;
  if (standsUntil) {
    if (acknowledged === recorded) {
      write(`settled ${recorded} 0 0 0`);
    }
    if (acknowledged === recorded || now > standsUntil) {
      standsUntil = 0;
      runsUntil = now + STANDING_MILLIS;
    }
  } else if (now > runsUntil) {
    standsUntil = now + STANDING_MILLIS;
  }
}

/** Writes it down when it is another. */
function health() {
  const figures = client.health();
  const lost = Object.values(figures.lostValues).reduce((sum, values) => sum + values, figures.loopFailures);
  const { harvestedValues, acknowledgedValues, pendingIntervals, inFlightIntervals } = figures;
  const line = `health ${harvestedValues} ${acknowledgedValues} ${pendingIntervals} ${inFlightIntervals} ${lost}`;
  if (line !== said) {
    said = line;
    write(line);
  }
  return figures;
}

function write(line) {
  writeSync(ledger, `${line}\n`);
}

let timers = [];

async function close(timeoutMillis, exitCode) {
  timers.forEach(clearInterval);
  const result = await client.close(timeoutMillis);
  health();
  write(`closed ${result.undeliveredValues} ${result.spilledValues}`);
  process.exit(exitCode);
}

process.once('SIGTERM', () => close(2000, EXIT_SIGTERM));
const orphan = () => process.exit(EXIT_ORPHAN);
process.stdin.once('end', orphan);
process.stdin.once('data', ([word]) => {
  process.stdin.off('end', orphan);
  if (word === FINISH) {
    close(90_000, 0);
  } else {
    orphan();
  }
});

// Only now: whoever sees it may send signals.
ledger = openSync(join(folder, `${life}.ledger`), 'wx');
timers = [setInterval(load, BATCH_MILLIS), setInterval(look, LOOK_MILLIS)];
