import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clockText,
  dateText,
  isoTime,
  parseTime,
  showTimesIn,
  spanText,
  stepFor,
  stepText,
  typedTime,
  zoneText,
} from '../times.js';
import { timeTicks } from '../time-axis.js';
import { rangeOf, selectionOf } from '../model.js';
import { emptyState } from '../state.js';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');

test('parseTime understands what the API does', () => {
  assert.equal(parseTime('now', NOW), NOW);
  assert.equal(parseTime('-5m', NOW), NOW - 300_000);
  assert.equal(parseTime('-1.5h', NOW), NOW - 5_400_000);
  assert.equal(parseTime('1767225600', NOW), Date.parse('2026-01-01T00:00:00Z'));
  assert.equal(parseTime('2026-01-01T00:00:00.5Z', NOW), Date.parse('2026-01-01T00:00:00.500Z'));
  assert.equal(parseTime('2026-01-01T02:00:00+02:00', NOW), Date.parse('2026-01-01T00:00:00Z'));
  assert.equal(parseTime('yesterday', NOW), null);
  assert.equal(parseTime('-5', NOW), null);
  assert.equal(parseTime('', NOW), null);
});

test('a time without a zone is local when typed, and none in a link, which others open elsewhere', () => {
  assert.equal(typedTime(' 2026-07-01 12:30', NOW), new Date(2026, 6, 1, 12, 30).getTime());
  assert.equal(typedTime('2026-07-01T12:30:05.5', NOW), new Date(2026, 6, 1, 12, 30, 5, 500).getTime());
  assert.equal(typedTime('2026-07-01 12:30Z', NOW), Date.parse('2026-07-01T12:30:00Z'));
  assert.equal(typedTime('-5m', NOW), NOW - 300_000);
  assert.equal(parseTime('2026-07-01 12:30', NOW), null);
  assert.equal(parseTime('2026-07-01T12:30:00', NOW), null);
  assert.match(String(rangeOf({ ...emptyState(), start: '2026-07-01T12:30' }, NOW, null)), /not a time.*with its zone/);
});

test('times are shown and typed in UTC where that is chosen, wherever the browser is', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'America/St_Johns'; // half an hour beside the hour, and with a summer time
  try {
    const night = Date.parse('2026-07-01T01:30:00Z');
    assert.deepEqual([dateText(night), clockText(night), zoneText().slice(0, 4)], ['2026-06-30', '23:00:00', 'UTC-']);
    assert.equal(typedTime('2026-06-30 23:00', NOW), night);
    showTimesIn('utc');
    assert.deepEqual([dateText(night), clockText(night), zoneText()], ['2026-07-01', '01:30:00', 'UTC']);
    assert.equal(typedTime('2026-07-01 01:30', NOW), night);
    assert.equal(typedTime('2026-07-01T01:30:00+02:00', NOW), night - 7_200_000);
    assert.ok(
      timeTicks(night, night + 86_400_000, 600).every(({ at }) => at % 3_600_000 === 0),
      'round in UTC',
    );
    showTimesIn('local');
    assert.ok(
      timeTicks(night, night + 86_400_000, 600).every(({ at }) => at % 3_600_000 === 1_800_000),
      'round there',
    );
  } finally {
    showTimesIn('local');
    process.env.TZ = zone ?? '';
    if (zone === undefined) {
      delete process.env.TZ;
    }
  }
});

test('stepFor leaves each step its pixels and is never below what intervals allow', () => {
  assert.equal(stepFor(60_000, 900), 1000);
  assert.equal(stepFor(300_000, 900), 2000);
  assert.equal(stepFor(3_600_000, 900), 15_000);
  assert.equal(stepFor(86_400_000, 900), 300_000);
  for (const span of [1e3, 6e4, 9e5, 3.6e6, 8.64e7, 3e9, 3e11]) {
    assert.ok(span / stepFor(span, 900) <= 300);
  }
  assert.equal(stepText(15_000), '15s');
});

test('rangeOf what moves ends with the second that has begun', () => {
  assert.deepEqual(rangeOf({ ...emptyState(), start: '-5m' }, NOW, null), {
    start: Date.parse('2026-01-02T02:59:06Z'),
    end: Date.parse('2026-01-02T03:04:06Z'),
  });
});

const at = (text) => Date.parse(`2026-01-02T${text}Z`);

test('rangeOf a series that has just begun is as long as there is something', () => {
  const kept = { start: at('03:03:20.700'), end: at('03:04:04.300') };
  assert.deepEqual(rangeOf(emptyState(), NOW, null, kept), { start: at('03:03:21'), end: at('03:04:04') });
  assert.deepEqual(rangeOf({ ...emptyState(), live: true }, NOW, null, kept), {
    start: at('03:03:21'),
    end: at('03:04:04'),
  });
});

test('rangeOf a series that goes on is the last minutes, up to its last interval', () => {
  const kept = { start: at('01:00:00'), end: at('03:04:04.600') };
  assert.deepEqual(rangeOf(emptyState(), NOW, null, kept), { start: at('02:49:05'), end: at('03:04:05') });
  assert.deepEqual(rangeOf({ ...emptyState(), live: true }, NOW, null, kept), {
    start: at('02:59:05'),
    end: at('03:04:05'),
  });
  assert.deepEqual(rangeOf({ ...emptyState(), start: '-1m' }, NOW, null, kept), {
    start: at('03:03:05'),
    end: at('03:04:05'),
  });
});

test('rangeOf a series that has been quiet for a while shows that it has', () => {
  const kept = { start: at('01:00:00'), end: at('03:03:00') };
  assert.deepEqual(rangeOf(emptyState(), NOW, null, kept), { start: at('02:49:06'), end: at('03:04:06') });
});

test('rangeOf a series that was over before the last minutes is where it was, a day at most', () => {
  assert.deepEqual(rangeOf(emptyState(), NOW, null, { start: at('00:10:00.100'), end: at('00:40:00.200') }), {
    start: at('00:10:00'),
    end: at('00:40:00'),
  });
  assert.deepEqual(rangeOf(emptyState(), NOW, null, { start: 0, end: at('00:40:00') }), {
    start: at('00:40:00') - 86_400_000,
    end: at('00:40:00'),
  });
});

test('rangeOf a wish is that, whatever there is', () => {
  const kept = { start: at('03:03:20'), end: at('03:04:04') };
  assert.deepEqual(rangeOf({ ...emptyState(), start: '-15m' }, NOW, null, kept), {
    start: at('02:49:04'),
    end: at('03:04:04'),
  });
  assert.deepEqual(
    rangeOf({ ...emptyState(), start: '2026-01-02T01:00:00Z', end: '2026-01-02T02:00:00Z' }, NOW, null, kept),
    { start: at('01:00:00'), end: at('02:00:00') },
  );
});

test('rangeOf files without a wish is all of them', () => {
  const extent = { start: Date.parse('2020-01-01T00:00:00Z'), end: Date.parse('2020-01-01T01:00:00.5Z'), live: false };
  assert.deepEqual(rangeOf(emptyState(), NOW, extent), { start: extent.start, end: extent.end + 500 });
});

test('rangeOf a range that ends before it starts says so', () => {
  assert.match(String(rangeOf({ ...emptyState(), start: 'now', end: '-5m' }, NOW, null)), /ends .* before it starts/);
  assert.match(String(rangeOf({ ...emptyState(), start: 'noon' }, NOW, null)), /noon: not a time/);
});

test('selectionOf a reversed or unreadable range is none', () => {
  assert.equal(selectionOf({ ...emptyState(), sel: { start: 'now', end: '-1m' } }, NOW), null);
  assert.equal(selectionOf({ ...emptyState(), sel: { start: 'x', end: 'now' } }, NOW), null);
});

test('spanText and isoTime', () => {
  assert.equal(spanText(15_000), '15 s');
  assert.equal(spanText(3_725_000), '1 h 2 m');
  assert.equal(spanText(3_600_000), '1 h');
  assert.equal(spanText(1_336), '1 s 336 ms');
  assert.equal(isoTime(NOW), '2026-01-02T03:04:05.678Z');
  assert.equal(isoTime(0), '1970-01-01T00:00:00Z');
});
