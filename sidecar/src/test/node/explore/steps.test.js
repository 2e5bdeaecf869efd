import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stretches, timed } from '../steps.js';
import { rated } from '../throughput.js';

const at = (...seconds) => seconds.map((second) => ({ at: second * 1000, resolutionSeconds: 1 }));
const drawn = (steps, stepSeconds) =>
  stretches(steps, stepSeconds * 1000).map(({ start, end, joined }) => [start / 1000, end / 1000, joined]);

test('stretches of steps one after the other are joined', () => {
  assert.deepEqual(drawn(at(0, 10, 20), 10), [
    [0, 10, true],
    [10, 20, true],
    [20, 30, false],
  ]);
});

test('stretches end where a step is missing', () => {
  assert.deepEqual(drawn(at(0, 10, 30), 10), [
    [0, 10, true],
    [10, 20, false],
    [30, 40, false],
  ]);
});

test('stretches of one second bridge the second that intervals of a little more leave out, and no more', () => {
  const steps = [0, 1, 3, 6].map((second) => ({ at: second * 1000, resolutionSeconds: 1.01 }));
  assert.deepEqual(drawn(steps, 1), [
    [0, 1, true],
    [1, 3, true],
    [3, 4, false],
    [6, 7, false],
  ]);
});

test('stretches of intervals that were added together reach to the next', () => {
  const steps = [0, 15, 30].map((second) => ({ at: second * 1000, resolutionSeconds: 16 }));
  assert.deepEqual(drawn(steps, 5), [
    [0, 15, true],
    [15, 30, true],
    [30, 40.5, false],
  ]);
});

test('timed reads the start', () => {
  assert.equal(timed([{ start: '1970-01-01T00:00:02Z', count: 3 }])[0].at, 2000);
});

const counted = (start, count, recordedSeconds, resolutionSeconds = 1) => ({
  at: start * 1000,
  count,
  recordedSeconds,
  resolutionSeconds,
});
const rates = (steps, stepSeconds, [start, end], series = 1) =>
  rated(stretches(steps, stepSeconds * 1000), stepSeconds * 1000, { start: start * 1000, end: end * 1000 }, series).map(
    ({ rate }) => Math.round(rate),
  );

test('rated is the count by the time of the intervals, whether a step has one more or one less', () => {
  assert.deepEqual(rates([counted(0, 500, 5), counted(5, 600, 6), counted(10, 400, 4)], 5, [0, 15]), [100, 100, 100]);
});

test('rated of several series adds their rates', () => {
  assert.deepEqual(rates([counted(0, 600, 15), counted(5, 720, 18)], 5, [0, 10], 3), [120, 120]);
});

test('rated of a step in which nothing was recorded for a while is that of the whole step', () => {
  assert.deepEqual(rates([counted(0, 600, 3)], 60, [0, 60]), [10]);
});

test('rated of a step that the range cuts is no peak and no dip', () => {
  assert.deepEqual(rates([counted(0, 100, 1), counted(5, 500, 5), counted(10, 200, 2)], 5, [4, 12]), [100, 100, 100]);
  assert.deepEqual(
    rates([counted(0, 100, 1), counted(1, 200, 2)], 1, [0, 2]),
    [100, 100],
    'the next interval was there already',
  );
});

test('rated of intervals that were added together is by their length', () => {
  assert.deepEqual(rates([counted(0, 1600, 16, 16), counted(15, 1600, 16, 16)], 5, [0, 30]), [100, 100]);
});
