'use strict';

/** Against PROTOCOL.md, whose session another program wrote, and the port of HdrHistogram. */

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { inflateSync } = require('node:zlib');
const hdr = require('hdr-histogram-js');
const { Counters } = require('../lib/counters');
const { crc32c } = require('../lib/crc32c');
const frames = require('../lib/frames');
const { Tally } = require('../lib/health');
const { Outgoing } = require('../lib/outgoing');
const { compressed, parts, raw } = require('../lib/payload');
const { Series } = require('../lib/recorder');
const { Definition, SeriesKey, labelsOf } = require('../lib/series');
const spill = require('../lib/spill');
const { bucketsOf, chance, oracle, stage } = require('./support/sidecars');

const TEXT = fs.readFileSync(path.join(__dirname, '../../../PROTOCOL.md'), 'utf8');
const INSTANCE = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const START = 1_760_000_000_000;
const LIMITS = { maxBody: 1 << 20, level: 0 };
const HEAD = 8;
const BODY_BEFORE_PAYLOAD = 72;

const set = stage();

const GOLDEN = [...TEXT.matchAll(/^```frame \w+\n(.*?)^```$/gms)].map(([, block]) =>
  Buffer.from(block.replace(/\|.*/g, '').replace(/\s/g, ''), 'hex'),
);

function checkout(help = 'Time to pay.') {
  const key = new SeriesKey('checkout', labelsOf({ route: '/pay' }));
  const series = new Series(key, new Definition({ help }), new Tally(), () => {});
  [1_000_000, 1_500_000, 1_500_000].forEach((value) => series.counters.record(value));
  return series;
}

function partOf(series, start, limits = LIMITS) {
  const found = parts(series.harvest(), start, start + 1000, series.definition, limits);
  assert.equal(found.length, 1);
  return found[0];
}

test('CRC-32C is that of the catalogue', () => {
  assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283);
  assert.equal(crc32c(Buffer.from('x123456789x'), 1, 10), 0xe3069283);
  assert.equal(crc32c(Buffer.alloc(0)), 0);
});

test('frames are those of the document', () => {
  const series = checkout();
  const part = partOf(series, START);
  assert.deepEqual(frames.hello(INSTANCE, [['service', 'shop']], 'secret'), GOLDEN[0]);
  assert.deepEqual(frames.series(1, series.key, series.definition), GOLDEN[2]);
  assert.deepEqual(frames.interval(1, 1, part.figures, part.payload, undefined), GOLDEN[3]);
  assert.deepEqual(frames.health({ pending_intervals: 0 }), GOLDEN[8]);
  assert.deepEqual(frames.goodbye(), GOLDEN[9]);
});

test('a deflated interval is that of the document but for how it is deflated', () => {
  const part = partOf(checkout(), START + 1000, { ...LIMITS, level: 1 });
  const ours = frames.interval(2, 7, part.figures, part.payload, undefined).subarray(HEAD);
  const theirs = GOLDEN[5].subarray(HEAD);
  const fixed = BODY_BEFORE_PAYLOAD - 4;
  assert.deepEqual(ours.subarray(0, fixed), theirs.subarray(0, fixed));
  const [mine, other] = [ours, theirs].map((body) => inflateSync(body.subarray(BODY_BEFORE_PAYLOAD + 8, -4)));
  assert.deepEqual(mine, other);
});

test('an exemplar is drawn as the document has it', () => {
  const exemplar = { value: 5n, millis: 7, traceId: 'ab', spanId: 'c' };
  assert.equal(
    frames.extension(exemplar).toString('hex'),
    `01${'0015'}${'0000000000000005'}${'0000000000000007'}${'02'}${'6162'}${'01'}${'63'}`,
  );
});

for (const size of [1, 7, 1 << 16]) {
  test(`answers are read when they come in ${size} bytes`, () => {
    const stream = Buffer.concat([1, 4, 6, 7, 11].map((number) => GOLDEN[number]));
    const reader = new frames.Reader();
    const answers = [];
    for (let at = 0; at < stream.length; at += size) {
      answers.push(...reader.feed(stream.subarray(at, at + size)));
    }
    const limits = { maxBody: 1 << 20, window: 64, level: 1 };
    const message = 'series id 7 was not declared';
    assert.deepEqual(answers, [
      { kind: 'welcome', settled: 0, ...limits },
      { kind: 'ack', sequence: 1 },
      { kind: 'reject', scope: 'interval', reference: 2, reason: 'unknown_series', message },
      { kind: 'ack', sequence: 2 },
      { kind: 'welcome', settled: 41, ...limits },
    ]);
  });
}

test('every flipped bit is noticed', () => {
  for (let bit = 0; bit < GOLDEN[4].length * 8; bit++) {
    const damaged = Buffer.from(GOLDEN[4]);
    damaged[bit >> 3] ^= 1 << (bit & 7);
    let answers = [];
    try {
      answers = [...new frames.Reader().feed(damaged)];
    } catch (error) {
      assert.ok(error instanceof frames.ProtocolError);
    }
    assert.deepEqual(answers, []);
  }
});

test('reasons are those of the document', () => {
  const rows = [...TEXT.matchAll(/^\| (\d+) +\| ([a-z_]+) +\| (?:connection|series|interval|any)/gm)];
  const reasons = ['unknown'];
  rows.forEach(([, code, reason]) => (reasons[Number(code)] = reason));
  assert.deepEqual(frames.REASONS, reasons);
});

test('a spill file is that of the document', () => {
  const [, expected] = /^```spill\n(.*?)^```$/ms.exec(TEXT);
  const series = checkout('');
  series.createdMillis = START;
  const one = {
    sequence: 1,
    series: new Outgoing(1, series),
    part: partOf(series, START + 1000),
    frame: Buffer.alloc(0),
  };
  const ours = [...spill.lines(INSTANCE, [['service', 'shop']], [one], 0)].join('');
  assert.equal(withoutWindow(ours), withoutWindow(expected));
});

/** The two bytes in front of a zlib stream state the window, which is as large as it has to be. */
function withoutWindow(text) {
  let crc;
  const lines = text.replace(/HIST[\w+/=]+/, (payload) => {
    const bytes = Buffer.from(payload, 'base64');
    crc = bytes.subarray(8, 10).fill(0);
    return bytes.toString('base64');
  });
  assert.ok(crc);
  return lines.replace(/(#R .*) [0-9a-f]{8}$/m, '$1');
}

for (const [folderMode, mode] of [
  [0o700, 0o600],
  [0o770, 0o660],
]) {
  test(`a spill file in a folder of mode ${folderMode.toString(8)} has mode ${mode.toString(8)}`, () => {
    const folder = set.folder();
    fs.chmodSync(folder, folderMode);
    const file = spill.write(folder, INSTANCE, [], []);
    assert.equal(fs.statSync(file).mode & 0o777, mode);
  });
}

test('a spill folder that is made is its owner’s alone', () => {
  const folder = path.join(set.folder(), 'a', 'b');
  spill.write(folder, INSTANCE, [], []);
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
});

test('a spill file that cannot be written leaves nothing behind', () => {
  const folder = set.folder();
  const broken = { sequence: 1, series: {}, part: {} };
  assert.throws(() => spill.write(folder, INSTANCE, [], [broken]), TypeError);
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('a payload is read by hdr-histogram-js', () => {
  const random = chance(5);
  const definition = new Definition({ highest: 2 ** 41 });
  const counters = new Counters(definition.layout, definition.highest, new Tally(), () => {});
  const values = Array.from({ length: 5_000 }, () => Math.floor(2 ** (40 * random())));
  values.forEach((value) => counters.record(value));
  const counts = counters.harvest();
  const payload = compressed(raw(counts.indexes, counts.counts, definition.layout, definition.highest), 1);
  const decoded = hdr.decodeFromCompressedBase64(payload.toString('base64'));
  assert.deepEqual(bucketsOf(decoded), oracle(values, { highest: 2 ** 41 }));
});

test('parts add up to the whole', () => {
  const random = chance(6);
  const definition = new Definition({ highest: 2 ** 41 });
  const counters = new Counters(definition.layout, definition.highest, new Tally(), () => {});
  const values = Array.from({ length: 20_000 }, () => Math.floor(2 ** (40 * random())));
  values.forEach((value) => counters.record(value));
  const exemplar = { value: 1n, millis: 1, traceId: 'a', spanId: '' };
  const counts = counters.harvest(exemplar);
  const found = parts(counts, 1, 2, definition, { maxBody: 2_000, level: 1 });
  assert.ok(found.length > 3);
  assert.deepEqual(
    found.map((part) => part.counts).reduce((whole, part) => whole.plus(part)),
    counts,
  );
  for (const { payload, figures, counts: part } of found) {
    assert.ok(payload.length + BODY_BEFORE_PAYLOAD <= 2_000);
    const decoded = hdr.decodeFromCompressedBase64(payload.toString('base64'));
    assert.equal(decoded.totalCount, figures.total);
    const low = BigInt(definition.layout.lowestAt(part.indexes[0]));
    const high = definition.layout.highestAt(part.indexes.at(-1));
    assert.ok(low <= figures.smallest && figures.smallest <= figures.largest && figures.largest <= high);
    assert.ok(low * BigInt(figures.total) <= figures.sum && figures.sum <= high * BigInt(figures.total));
  }
});
