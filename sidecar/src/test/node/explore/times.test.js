import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime, parseTime, spanText, stepFor, stepText, typedTime } from '../times.js';
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
    start: Date.parse('2026-01-02T02:59:06Z'), end: Date.parse('2026-01-02T03:04:06Z'),
  });
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
