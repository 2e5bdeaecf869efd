import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stretches, timed } from '../steps.js';

const at = (...seconds) => seconds.map((second) => ({ at: second * 1000, resolutionSeconds: 1 }));
const drawn = (steps, stepSeconds) => stretches(steps, stepSeconds * 1000).map(({ start, end, joined }) => [start / 1000, end / 1000, joined]);

test('stretches of steps one after the other are joined', () => {
  assert.deepEqual(drawn(at(0, 10, 20), 10), [[0, 10, true], [10, 20, true], [20, 30, false]]);
});

test('stretches end where a step is missing', () => {
  assert.deepEqual(drawn(at(0, 10, 30), 10), [[0, 10, true], [10, 20, false], [30, 40, false]]);
});

test('stretches of one second bridge the second that intervals of a little more leave out, and no more', () => {
  const steps = [0, 1, 3, 6].map((second) => ({ at: second * 1000, resolutionSeconds: 1.01 }));
  assert.deepEqual(drawn(steps, 1), [[0, 1, true], [1, 3, true], [3, 4, false], [6, 7, false]]);
});

test('stretches of intervals that were added together reach to the next', () => {
  const steps = [0, 15, 30].map((second) => ({ at: second * 1000, resolutionSeconds: 16 }));
  assert.deepEqual(drawn(steps, 5), [[0, 15, true], [15, 30, true], [30, 40.5, false]]);
});

test('timed reads the start', () => {
  assert.equal(timed([{ start: '1970-01-01T00:00:02Z', count: 3 }])[0].at, 2000);
});
