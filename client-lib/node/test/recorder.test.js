'use strict';

const assert = require('node:assert/strict');
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const { test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const { Client, Schedule, ScheduledRecorder } = require('..');
const { Tally } = require('../lib/health');
const { HiccupMeter } = require('../lib/hiccup');
const { Recorder, Series, correctedKey } = require('../lib/recorder');
const { Definition, SeriesKey } = require('../lib/series');
const { block } = require('./support/sidecars');

/** A recorder, and the series that it counts into; harvests are the test's. */
function recorder(options, labels = []) {
  const tally = new Tally();
  const create = (key, definition) => new Series(key, definition, tally, () => {});
  const series = create(new SeriesKey('x', labels), new Definition(options));
  const made = [];
  const one = new Recorder(series, (raw) => {
    made.push(create(correctedKey(raw.key), raw.definition));
    return made[0];
  });
  return { one, series, made, tally };
}

test('record never throws, whatever comes', () => {
  const { one, series } = recorder();
  const hostile = {
    toString() {
      throw new Error('no');
    },
  };
  for (const value of [null, undefined, 'x', {}, NaN, -1, Infinity, 1n << 90n, [1], hostile, Symbol('x'), () => {}]) {
    one.record(value);
    one.record(1, value, value);
    one.record(value, 't', 's');
    one.recordWithExpectedInterval(value, 1);
    one.recordWithExpectedInterval(1, value);
  }
  // 12 times the 1s of the test, and thrice what counts as an end of the range: -1, Infinity, 1n << 90n.
  assert.equal(series.harvest().total, 24 + 9);
});

test('the exemplar is the largest value with a trace', () => {
  const { one, series } = recorder();
  const before = Date.now();
  one.record(5, 'a');
  one.record(9.5, 'b', 'c');
  one.record(7, 'd');
  one.record(1_000);
  const { exemplar } = series.harvest();
  assert.deepEqual({ ...exemplar, millis: 0 }, { value: 9n, millis: 0, traceId: 'b', spanId: 'c' });
  assert.ok(exemplar.millis >= before && exemplar.millis <= Date.now());
  one.record(1);
  assert.equal(series.harvest().exemplar, undefined);
  one.record(1n << 80n, 't');
  one.record(-5, 'u');
  assert.equal(series.harvest().exemplar.value, 3_600_000_000_000n);
});

for (const [trace, span] of [
  ['', ''],
  ['x'.repeat(65)],
  ['with blank'],
  ['ümlaut'],
  [7],
  [{}],
  ['t', 's'.repeat(33)],
  ['t', 7],
]) {
  test(`an exemplar with the ids ${String(trace).slice(0, 12)}, ${String(span).slice(0, 12)} is left out`, () => {
    const { one, series } = recorder();
    one.record(9, trace, span);
    one.record(5, 'good');
    const counts = series.harvest();
    assert.equal(counts.total, 2);
    assert.equal(counts.exemplar.traceId, 'good');
  });
}

test('time measures functions and promises, also those that fail, and returns what they do', async () => {
  const { one, series } = recorder();
  assert.equal(
    one.time(() => 'sync'),
    'sync',
  );
  assert.throws(
    () =>
      one.time(() => {
        throw new TypeError('of the action');
      }),
    /of the action/,
  );
  assert.equal(await one.time(() => sleep(20, 'async')), 'async');
  await assert.rejects(
    one.time(async () => {
      await sleep(20);
      throw new TypeError('of the promise');
    }),
    /of the promise/,
  );
  const counts = series.harvest();
  assert.equal(counts.total, 4);
  assert.ok(counts.sum >= 38_000_000n);
  assert.ok(counts.smallest < 20_000_000n);
});

test('a start that is ended twice counts once', () => {
  const { one, series, tally } = recorder({ unit: 'us' });
  const end = one.start();
  block(2);
  end();
  end();
  const counts = series.harvest();
  assert.equal(counts.total, 1);
  assert.deepEqual([...tally.lost], []);
  assert.ok(counts.smallest >= 2_000n);
});

test('timed functions keep name, this, arguments and results', async () => {
  const { one, series } = recorder();
  class Till {
    amount = 1;
  }
  Till.prototype.pay = one.timed(function pay(more) {
    return this.amount + more;
  });
  const ask = one.timed(async () => 'answer');
  assert.equal(new Till().pay(2), 3);
  assert.equal(Till.prototype.pay.name, 'pay');
  assert.equal(await ask(), 'answer');
  assert.equal(series.harvest().total, 2);
  assert.throws(() => one.timed(function* () {}), /generator/);
  assert.throws(() => one.timed(async function* () {}), /generator/);
});

test('time of bytes is refused', () => {
  const { one } = recorder({ unit: 'bytes' });
  for (const call of [() => one.start(), () => one.time(() => {}), () => one.timed(() => {})]) {
    assert.throws(call, /does not count time/);
  }
});

test('corrected values are in a series of their own, with one label corrected', () => {
  const { one, series, made } = recorder({}, [
    ['corrected', 'other'],
    ['route', '/pay'],
  ]);
  one.recordWithExpectedInterval(1_000, 100);
  assert.equal(series.harvest().total, 1);
  assert.equal(made[0].harvest().total, 10);
  assert.deepEqual(made[0].key.labels, [
    ['corrected', 'expected_interval'],
    ['route', '/pay'],
  ]);
});

test('a recorder is the same each time, and their number is bounded', () => {
  const client = new Client({ enabled: false, maxSeries: 2, commonLabels: { service: 'shop' } });
  const labels = { x: '1', empty: '' };
  const first = client.recorder('a', labels);
  labels.x = 'changed by the caller';
  assert.equal(client.recorder('a', { x: '1' }), first);
  assert.deepEqual(first.labels, { x: '1' });
  client.recorder('a', { x: '2', service: 'shop' });
  const overflow = client.recorder('a', { x: '3', kind: 'wait', corrected: 'mine' });
  assert.deepEqual(overflow.labels, { corrected: 'other', kind: 'wait', overflow: 'true' });
  assert.equal(client.recorder('a', { x: '4', kind: 'wait', corrected: 'yours' }), overflow);
  assert.notEqual(client.recorder('a', { x: '4', kind: 'wait', corrected: 'yours' }, { digits: 2 }), overflow);
  assert.equal(client.health().overflowedLookups, 3);
  assert.throws(() => client.recorder('a', { x: '1' }, { digits: 2 }), /exists with/);
  assert.throws(() => client.recorder('a', { corrected: 'expected_interval' }), /corrected/);
  assert.throws(() => client.recorder('a', { service: 'other' }), /set twice/);
});

test('a label is left for the corrected series', () => {
  const client = new Client({ enabled: false, commonLabels: { service: 'shop' } });
  const labels = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`l${at}`, 'x']));
  client.recorder('calls', labels).recordWithExpectedInterval(10, 1);
  assert.throws(() => client.recorder('calls', { ...labels, more: 'x' }), /at most 31 labels/);
});

test('a client that is disabled records and discards', async () => {
  const client = new Client({ enabled: false, hiccups: true });
  const one = client.recorder('x');
  one.record(1);
  one.time(() => {});
  one.recordWithExpectedInterval(100, 1);
  assert.equal((await client.close()).deliveredAll, true);
  assert.equal(client.health().harvestedValues, 0);
});

/** Scheduled times of a client that only says what each of the three recorders was told. */
function scheduled() {
  const told = { response: [], service: [], wait: [] };
  const client = { recorder: (_, { kind }) => ({ record: (value) => told[kind].push(value) }) };
  return { pay: new ScheduledRecorder(client, 'pay'), told };
}

test('scheduled times add up', () => {
  const { pay, told } = scheduled();
  pay.record(1_000, 1_000.5, 1_003.000_001);
  pay.record(1_000, 999.9, 1_003);
  assert.deepEqual(told, {
    wait: [500_000, 0],
    service: [2_500_001, 3_100_000],
    response: [3_000_001, 3_100_000],
  });
  const client = new Client({ enabled: false });
  assert.throws(() => new ScheduledRecorder(client, 'pay', { kind: 'x' }), /kind/);
  assert.throws(() => new ScheduledRecorder(client, 'pay', null, { unit: 'ms' }), /nanoseconds/);
  new ScheduledRecorder(client, 'pay').record('x', NaN, undefined);
});

test('a scheduled call is counted once however it ends', async () => {
  const { pay, told } = scheduled();
  const before = performance.now();
  const end = pay.begin(before);
  end();
  end();
  await pay.time(before, () => sleep(1));
  await assert.rejects(pay.time(before, () => Promise.reject(new Error('no'))));
  for (const values of Object.values(told)) {
    assert.equal(values.length, 3);
  }
  told.response.forEach((value, at) => assert.equal(value, told.wait[at] + told.service[at]));
  assert.ok(Math.max(...told.response) <= (performance.now() - before) * 1e6);
});

test('a fixed rate does not drift', () => {
  const offsets = [...Schedule.fixedRate(3, { calls: 7 }).offsets()];
  assert.deepEqual(
    offsets,
    Array.from({ length: 7 }, (_, number) => (number * 1000) / 3),
  );
  assert.deepEqual([...Schedule.fixedRate(3, { calls: 0 }).offsets()], []);
});

test('poisson starts have their rate, and are the same for a seed', () => {
  const offsets = [...Schedule.poisson(1_000, { calls: 50_000, seed: 1 }).offsets()];
  assert.deepEqual(
    offsets,
    [...offsets].sort((one, other) => one - other),
  );
  assert.ok(Math.abs(offsets.at(-1) / 50_000 - 1) < 0.05, String(offsets.at(-1)));
  const again = [...Schedule.poisson(1_000, { calls: 50_000, seed: 1 }).offsets()];
  assert.deepEqual(offsets, again);
  assert.notDeepEqual([...Schedule.poisson(5, { calls: 9, seed: 2 }).offsets()], offsets.slice(0, 9));
});

for (const rate of [0, -1, 1e10, NaN, '5']) {
  test(`a rate of ${rate} is refused`, () => {
    assert.throws(() => Schedule.fixedRate(rate), /calls per second/);
    assert.throws(() => Schedule.poisson(rate), /calls per second/);
    assert.throws(() => Schedule.poisson(1, { calls: rate === 0 ? -1 : rate === 1e10 ? 'x' : NaN }), /calls must/);
  });
}

test('a schedule waits for no call, and catches up', async () => {
  const begun = performance.now();
  const starts = [];
  for await (const intended of Schedule.fixedRate(1_000, { calls: 50 })) {
    assert.ok(performance.now() >= intended);
    starts.push(intended);
    if (starts.length === 10) {
      block(20);
    }
  }
  assert.equal(starts.length, 50);
  starts.forEach((start, at) => assert.ok(Math.abs(start - starts[0] - at) < 1e-6));
  assert.ok(starts[0] >= begun);
});

test('a delay of the event loop is measured, and no shorter than perf_hooks has it', async (context) => {
  const truth = monitorEventLoopDelay({ resolution: 10 });
  const found = [];
  const meter = new HiccupMeter(10, (...hiccup) => found.push(hiccup));
  context.after(() => meter.close());
  truth.enable();
  while (found.length < 5) {
    await sleep(5);
  }
  const blocked = 300;
  block(blocked);
  const before = found.length;
  while (found.length < before + 2) {
    await sleep(5);
  }
  truth.disable();
  const longest = Math.max(...found.map(([nanos]) => nanos));
  // Half of it, as the shortest delay that is subtracted may be long on a busy machine.
  assert.ok(longest >= (blocked / 2) * 1e6, String(longest));
  assert.ok(truth.max >= (blocked / 2) * 1e6, String(truth.max));
  assert.ok(found.every(([nanos, interval]) => nanos >= 0 && interval === 10_000_000));
});
