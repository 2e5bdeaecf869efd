import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisFor, fromAxis, toAxis, valueTicks } from '../value-axis.js';
import { timeTicks } from '../time-axis.js';
import { looksLikeSelector, matchesWords, searchText, shortNames } from '../selector.js';

for (const [least, most, height] of [
  [215_000, 1_180_000_000, 250],
  [1, 2 ** 62, 250],
  [500, 520, 250],
  [90_000, 140_000, 150],
  [7, 7, 250],
]) {
  for (const y of ['log', 'lin']) {
    test(`valueTicks from ${least} to ${most}, ${y}, are within the axis, in order, and some`, () => {
      const axis = axisFor([least, most], y);
      const ticks = valueTicks(axis, height, 'ns', 'auto');
      assert.ok(toAxis(least, y) >= axis.min && toAxis(most, y) <= axis.max, 'both are to be seen');
      assert.ok(ticks.length >= 2 && ticks.length <= 16, JSON.stringify(ticks));
      for (const [i, tick] of ticks.entries()) {
        assert.ok(tick.at >= axis.min - 1e-9 && tick.at <= axis.max + 1e-9);
        assert.ok(i === 0 || tick.at > ticks[i - 1].at);
      }
    });
  }
}

test('valueTicks of sizes are powers of two', () => {
  const texts = valueTicks(axisFor([300, 2 ** 20], 'log'), 170, 'bytes', 'auto').map((tick) => tick.text);
  assert.deepEqual(texts, ['256 B', '1 KiB', '4 KiB', '16 KiB', '64 KiB', '256 KiB', '1 MiB']);
});

test('axisFor values with zeros leaves them at the lower edge of a logarithmic axis', () => {
  assert.ok(axisFor([0, 1000, 1e6], 'log').min > 2.5);
  assert.equal(axisFor([0, 5], 'lin').min, 0);
  assert.ok(axisFor([0, 0], 'log').max > axisFor([0, 0], 'log').min);
});

test('toAxis of 0 on a logarithmic axis is its edge, not minus infinity', () => {
  assert.equal(toAxis(0, 'log'), 0);
  assert.equal(fromAxis(toAxis(1000, 'log'), 'log'), 1000);
  assert.equal(toAxis(2n ** 62n, 'lin'), 2 ** 62);
});

test('timeTicks are round, in order and as many as there is room for', () => {
  const start = new Date(2026, 0, 2, 23, 58, 30).getTime();
  const ticks = timeTicks(start, start + 180_000, 400);
  assert.deepEqual(
    ticks.map((tick) => tick.text),
    ['23:59', '01-03', '00:01'],
  );
  assert.ok(timeTicks(start, start + 86_400_000, 320).length <= 4);
});

test('selectors are told apart from words, searched, and shortened', () => {
  assert.ok(looksLikeSelector('checkout{route="/pay"}'));
  assert.ok(!looksLikeSelector('checkout pay'));
  assert.ok(matchesWords('PAY check', searchText({ name: 'checkout', labels: { route: '/pay' } })));
  assert.ok(!matchesWords('pay refund', searchText({ name: 'checkout', labels: { route: '/pay' } })));
  assert.deepEqual(shortNames(['a{k="x",z="1"}', 'a{k="y",z="1"}']), ['x', 'y']);
  assert.deepEqual(shortNames(['a{k="x"}', 'b{k="x"}']), ['a', 'b']);
  assert.deepEqual(shortNames(['a', 'a{k="x"}']), ['a', 'x']);
  assert.deepEqual(shortNames(['a{k="x"}', 'a{k="y"}', 'b{j="1"}', 'b']), ['x', 'y', '1', 'b']);
  assert.deepEqual(shortNames(['a{k="x"}', 'a{k=~"x"}']), ['a{k="x"}', 'a{k=~"x"}'], 'not told apart by less');
});
