'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { Counters } = require('../lib/counters');
const { Tally } = require('../lib/health');
const { Layout } = require('../lib/layout');
const { HOUR, chance, lognormal, oracle, sumOf } = require('./support/sidecars');

const LAYOUT = new Layout(1, 3);

function counters(highest = HOUR, onFirst = () => {}) {
  const tally = new Tally();
  return { tally, counters: new Counters(LAYOUT, BigInt(highest), tally, onFirst) };
}

function asBuckets(counts, layout = LAYOUT) {
  return new Map([...counts.indexes].map((index, at) => [layout.lowestAt(index), counts.counts[at]]));
}

test('every bucket is that of hdr-histogram-js, and sum, minimum and maximum are exact', () => {
  const { counters: one } = counters();
  const values = lognormal(1, 50_000);
  values.forEach((value) => one.record(value));
  const counts = one.harvest();
  assert.deepEqual(asBuckets(counts), oracle(values));
  assert.equal(counts.total, values.length);
  assert.equal(counts.sum, sumOf(values));
  assert.equal(counts.smallest, BigInt(Math.min(...values)));
  assert.equal(counts.largest, BigInt(Math.max(...values)));
  assert.equal(one.harvest(), undefined);
});

test('a sum beyond 2^53 is exact', () => {
  const { counters: one } = counters(2 ** 52);
  const values = Array.from({ length: 10_000 }, (_, at) => 2 ** 51 + 2 * at + 1);
  values.forEach((value) => one.record(value));
  assert.equal(one.harvest().sum, sumOf(values));
});

test('values beyond 2^53 are exact as BigInt', () => {
  const { counters: one, tally } = counters(1n << 62n);
  const values = [5n, (1n << 52n) - 1n, 1n << 52n, (1n << 53n) + 1n, (1n << 61n) + 12_345n, 1n << 62n];
  values.forEach((value) => one.record(value));
  one.record(2 ** 60);
  one.record((1n << 62n) + 1n);
  const counts = one.harvest();
  assert.equal(counts.sum, sumOf(values) + (1n << 60n) + (1n << 62n));
  assert.equal(counts.smallest, 5n);
  assert.equal(counts.largest, 1n << 62n);
  assert.equal(counts.total, 8);
  assert.equal(tally.clampedTooLarge, 1);
  one.record(1n << 60n);
  assert.equal(one.harvest().smallest, 1n << 60n);
});

test('values outside the range count as its ends, and fractions are cut off', () => {
  const { counters: one, tally } = counters(1000);
  for (const value of [-5, -1n, 7.9, 2000, 1000, -0.5, 1n << 70n, Infinity, -Infinity, 1000.5, 1e300, -0]) {
    one.record(value);
  }
  const counts = one.harvest();
  assert.equal(tally.clampedNegative, 3);
  assert.equal(tally.clampedTooLarge, 5);
  assert.equal(counts.sum, 7n + 6n * 1000n);
  assert.equal(counts.total, 12);
  assert.equal(counts.smallest, 0n);
  assert.equal(counts.largest, 1000n);
  assert.equal(tally.lost.size, 0);
});

test('what is no number is lost and counted, whatever it does', () => {
  const hostile = {
    valueOf() {
      throw new Error('no');
    },
  };
  const traps = new Proxy(() => {}, {
    get() {
      throw new Error('no');
    },
  });
  const { counters: one, tally } = counters();
  const odd = [NaN, undefined, null, '7', true, {}, [1], hostile, traps, Symbol('7'), new Number(7), new Date()];
  for (const value of odd) {
    one.record(value);
    one.backFill(value, 1);
    one.backFill(10, value);
  }
  assert.equal(tally.lost.get('not_a_number'), odd.length);
  assert.equal(one.harvest(), undefined);
});

test('the first value after a harvest is told, once', () => {
  let told = 0;
  const { counters: one } = counters(HOUR, () => told++);
  one.record(1);
  one.record(2);
  assert.equal(told, 1);
  assert.equal(one.waiting, 2);
  one.harvest();
  one.record(3n);
  assert.equal(told, 2);
});

test('counters that nobody harvests count nothing', () => {
  const one = new Counters(LAYOUT, BigInt(HOUR), new Tally(), undefined);
  one.record(1);
  one.record('x');
  one.backFill(1000, 1);
  assert.equal(one.harvest(), undefined);
});

for (const [value, interval] of [
  [10, 1],
  [1_000_000, 1_000],
  [999, 500],
  [1_000, 500],
  [1_999, 1_000],
  [123_457, 13],
  [40_000_000_000, 1_000_000],
  [5, 0],
  [5, -1],
  [1_000.7, 100.3],
]) {
  // As AbstractHistogram.recordValueWithExpectedInterval of Java has it.
  test(`back-fill of ${value} each ${interval} is each value that was missed`, () => {
    const { counters: one, tally } = counters();
    one.record(value);
    one.backFill(value, interval);
    const each = Math.floor(interval);
    const missed = [];
    for (let at = Math.floor(value) - each; each > 0 && at >= each; at -= each) {
      missed.push(at);
    }
    const every = [Math.floor(value), ...missed];
    const counts = one.harvest();
    assert.deepEqual(asBuckets(counts), oracle(every));
    assert.equal(counts.sum, sumOf(every));
    assert.equal(counts.smallest, BigInt(Math.min(...every)));
    assert.equal(tally.lostBackFill, 0);
  });
}

test('back-fill of an hour at a microsecond takes a step for each bucket, and is exact', () => {
  const { counters: one } = counters();
  one.backFill(HOUR, 1_000);
  const counts = one.harvest();
  assert.equal(counts.total, 3_600_000_000 - 1);
  assert.equal(counts.sum, (1_000n * 3_599_999_999n * 3_600_000_000n) / 2n);
  assert.equal(counts.largest, BigInt(HOUR - 1_000));
});

test('back-fill above its limits is counted as lost', () => {
  const { counters: one, tally } = counters();
  one.backFill(HOUR, 1);
  assert.equal(tally.lostBackFill, HOUR - 1);
  const fine = new Counters(new Layout(1, 5), BigInt(HOUR), tally, () => {});
  fine.backFill(HOUR, 1_000);
  assert.equal(tally.lostBackFill, HOUR - 1 + 3_600_000_000 - 1);
  assert.equal(fine.harvest(), undefined);
});

test('counts add without loss', () => {
  const random = chance(3);
  const { counters: one } = counters();
  const values = [[], [], []];
  const parts = values.map((some) => {
    for (let number = 0; number < 2_000; number++) {
      some.push(Math.floor(2 ** (41 * random())));
      one.record(some.at(-1));
    }
    return one.harvest();
  });
  const whole = parts[0].plus(parts[1]).plus(parts[2]);
  const every = values.flat();
  assert.deepEqual(asBuckets(whole), oracle(every));
  assert.equal(whole.sum, sumOf(every));
  assert.equal(whole.total, every.length);
  assert.equal(whole.smallest, BigInt(Math.min(...every)));
  assert.equal(whole.largest, BigInt(Math.max(...every)));
});

test('recording makes no objects that the garbage collector would have to take', () => {
  const program = `
    const { Client } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const calls = new Client({ address: 'tcp://127.0.0.1:1' }).recorder('calls');
    const values = Array.from({ length: 1000 }, (_, at) => 1000 + at * at * 1e6);
    const record = (number) => { for (let at = 0; at < number; at++) calls.record(values[at % 1000]); };
    record(200_000);
    record(200_000);
    gc();
    console.log('begin'); record(5_000_000); console.log('end'); process.exit();`;
  const options = ['--trace-gc', '--expose-gc', '-e', program];
  const said = execFileSync(process.execPath, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  assert.match(said, /begin[^]*end/);
  // One number a value would be 60 MB or more, for a young generation of 16 MB at most. Code that is
  // not compiled yet makes some.
  const collections = /begin([^]*)end/.exec(said)[1].match(/Scavenge|Mark-Compact/g) ?? [];
  assert.ok(collections.length <= 1, said);
});
