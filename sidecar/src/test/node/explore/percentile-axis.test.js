import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelled, percentileAt, percentileText, placeOf, stairIndex, staircase, valueAt } from '../percentile-axis.js';

/** A sorted list of raw values is the truth here: values below 1000, so that every value has its own bucket. */
function rawValues(seed, size) {
  let state = seed;
  const values = Array.from({ length: size }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) ** 3 * 1000);
  });
  return values.sort((a, b) => a - b);
}

function bucketsOf(sorted) {
  const buckets = [];
  for (const value of sorted) {
    const last = buckets.at(-1);
    if (last !== undefined && last.highest === value) {
      last.count++;
    } else {
      buckets.push({ lowest: value, highest: value, count: 1 });
    }
  }
  return buckets;
}

for (const [seed, size] of [
  [1, 1],
  [2, 10],
  [3, 1000],
  [42, 54321],
]) {
  test(`staircase of ${size} values, seed ${seed}, has the value of each rank where its quantile ends`, () => {
    const sorted = rawValues(seed, size);
    const stairs = staircase(bucketsOf(sorted), sorted[size - 1]);
    for (let rank = 1; rank < size; rank += Math.max(1, Math.floor(size / 997))) {
      // Quantiles in ((rank - 1) / N, rank / N] have the value of that rank; the middle of it is free of rounding.
      const place = Math.log10(size / (size - (rank - 0.5)));
      assert.equal(valueAt(stairs, place), sorted[rank - 1], `rank ${rank}`);
    }
    assert.equal(valueAt(stairs, stairs.end), sorted[size - 1]);
  });
}

test('staircase ends with the count, where half of what the maximum stands for is drawn', () => {
  const stairs = staircase(
    [
      { lowest: 1, highest: 1, count: 999 },
      { lowest: 9, highest: 9, count: 1 },
    ],
    9,
  );
  assert.deepEqual(stairs.ends, [3, Math.log10(2000)]);
  assert.equal(stairs.end, Math.log10(2000));
  assert.equal(percentileAt(stairs.ends[0]).toFixed(6), '99.900000');
});

test('staircase with counts beyond 2^53 loses none', () => {
  const stairs = staircase(
    [
      { lowest: 1, highest: 1, count: 2n ** 60n - 1n },
      { lowest: 5, highest: 7, count: 1 },
    ],
    6,
  );
  assert.equal(stairs.ends[0], Math.log10(2 ** 60));
  assert.equal(stairs.values[1], 6, 'the last bucket is cut at the maximum');
});

test('staircase of values beyond 2^53 keeps them', () => {
  const stairs = staircase([{ lowest: 2n ** 61n, highest: 2n ** 62n - 1n, count: 1 }], 2n ** 62n - 5n);
  assert.equal(valueAt(stairs, 0), 2n ** 62n - 5n);
});

test('staircase of nothing has no value', () => {
  const stairs = staircase([], 0);
  assert.equal(stairs.end, 0);
  assert.equal(valueAt(stairs, 1), null);
  assert.equal(stairIndex(stairs, 1), -1);
});

test('placeOf puts each further nine one place on', () => {
  assert.equal(placeOf(0), -0);
  assert.equal(placeOf(90), 1);
  assert.equal(placeOf(99), 2);
  assert.equal(placeOf(99.9), 3);
  assert.equal(placeOf(99.99999), 7);
  assert.equal(percentileAt(placeOf(75)), 75);
});

test('labelled stays within the axis and in order', () => {
  assert.deepEqual(labelled(3, true), [0, 50, 90, 99, 99.9]);
  assert.deepEqual(labelled(2.5, false), [0, 50, 75, 90, 95, 99]);
});

test('percentileText has a digit more than nines', () => {
  assert.equal(percentileText(placeOf(99.95)), '99.9500');
  assert.equal(percentileText(0), '0.0');
  assert.equal(percentileText(placeOf(50)), '50.0');
});
