'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const hdr = require('hdr-histogram-js');
const { Layout } = require('../lib/layout');
const { chance } = require('./support/sidecars');

function valuesAroundPowers(top) {
  const found = new Set([0, 1, 2, 3, top]);
  for (let power = 0; power < 53; power++) {
    for (const offset of [-2, -1, 0, 1, 2]) {
      found.add(2 ** power + offset);
    }
  }
  const random = chance(7);
  for (let number = 0; number < 3000; number++) {
    found.add(Math.floor(2 ** (53 * random())));
  }
  return [...found].filter((value) => value >= 0 && value <= top);
}

for (const digits of [1, 2, 3, 4, 5]) {
  for (const lowest of [1, 2, 1000, 1024, 2 ** 20]) {
    test(`index of ${digits} digits from ${lowest} is that of hdr-histogram-js`, () => {
      const layout = new Layout(lowest, digits);
      const truth = hdr.build({
        lowestDiscernibleValue: lowest,
        highestTrackableValue: 2 ** 50,
        numberOfSignificantValueDigits: digits,
      });
      for (const value of valuesAroundPowers(2 ** 50)) {
        const index = layout.index(value);
        assert.equal(index, truth.countsArrayIndex(value), String(value));
        assert.equal(layout.indexOfBig(BigInt(value)), index);
        // Not its lowestEquivalentValue, whose logarithm rounds up just below 2^49.
        assert.equal(layout.lowestAt(index), truth.valueFromIndex(index));
        assert.equal(layout.highestAt(index) + 1n, BigInt(truth.valueFromIndex(index + 1)));
      }
    });
  }
}

test('buckets beyond 2^53 follow each other without a gap', () => {
  const layout = new Layout(1, 3);
  const last = layout.indexOfBig(1n << 62n);
  for (let index = layout.index(2 ** 50); index <= last; index++) {
    const lowest = BigInt(layout.lowestAt(index));
    assert.equal(layout.indexOfBig(lowest), index);
    assert.equal(layout.indexOfBig(layout.highestAt(index)), index);
    assert.equal(layout.highestAt(index) + 1n, BigInt(layout.lowestAt(index + 1)));
  }
});

test('unit is that of a logarithm which rounds up just below 2^48, as PROTOCOL.md says', () => {
  for (let power = 0; power <= 52; power++) {
    assert.equal(new Layout(2 ** power, 0).unit, power);
  }
  assert.equal(new Layout(2 ** 47 - 1, 0).unit, 46);
  assert.equal(new Layout(2 ** 48 - 1, 0).unit, 48);
});

test('layouts that cannot be are refused', () => {
  for (const [lowest, digits] of [
    [0, 3],
    [1, 6],
    [1, -1],
    [1, 2.5],
    [1.5, 3],
    [NaN, 3],
    [2 ** 52, 5],
    ['1', 3],
  ]) {
    assert.throws(() => new Layout(lowest, digits), RangeError);
  }
});
