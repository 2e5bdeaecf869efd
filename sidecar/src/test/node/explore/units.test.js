import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactValue, factor, formatCount, formatRate, formatRatio, formatValue, percentileName } from '../units.js';

test('formatValue of times chooses the unit by size', () => {
  assert.equal(formatValue(0, 'ns'), '0 ns');
  assert.equal(formatValue(999, 'ns'), '999 ns');
  assert.equal(formatValue(1000, 'ns'), '1 µs');
  assert.equal(formatValue(296499, 'ns'), '296 µs');
  assert.equal(formatValue(6234111, 'ns'), '6.23 ms');
  assert.equal(formatValue(1180000000, 'ns'), '1.18 s');
  assert.equal(formatValue(1500, 'us'), '1.5 ms');
  assert.equal(formatValue(90, 's'), '90 s');
});

test('formatValue in a wanted unit never changes it', () => {
  assert.equal(formatValue(6234111, 'ns', 'us'), '6,234 µs');
  assert.equal(formatValue(6234111, 'ns', 's'), '0.00623 s');
  assert.equal(formatValue(3, 's', 'ms'), '3,000 ms');
  assert.equal(factor('ns', 'ms'), 1e-6);
});

test('formatValue of bytes and plain numbers ignores units of time', () => {
  assert.equal(formatValue(1536, 'bytes', 'ms'), '1.5 KiB');
  assert.equal(formatValue(1023, 'bytes'), '1,023 B');
  assert.equal(formatValue(12, 'none', 's'), '12');
  assert.equal(formatValue(25000, 'none'), '25k');
  assert.equal(factor('bytes', 'ms'), 1);
});

test('formatValue of nothing is a dash', () => {
  assert.equal(formatValue(null, 'ns'), '–');
});

test('exactValue shows every digit, also beyond 2^53', () => {
  assert.equal(exactValue(2n ** 62n, 'ns'), '4,611,686,018,427,387,904 ns');
  assert.equal(exactValue(2n ** 128n - 1n, 'none'), '340,282,366,920,938,463,463,374,607,431,768,211,455');
  assert.equal(formatValue(2n ** 62n, 'ns'), '4,611,686,018 s');
});

test('formatCount, formatRate and formatRatio', () => {
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(formatCount(9007199254740993n), '9,007,199,254,740,993');
  assert.equal(formatRate(2031.4), '2.03k/s');
  assert.equal(formatRate(0), '0/s');
  assert.equal(formatRatio(3.6986905811195863), '×3.70');
  assert.equal(formatRatio(1), '×1.00');
  assert.equal(formatRatio(0.0266), '×0.0266');
  assert.equal(formatRatio(1234.5), '×1,235');
  assert.equal(formatRatio(null), '–');
});

test('percentileName', () => {
  assert.equal(percentileName('99.99'), 'p99.99');
  assert.equal(percentileName(100), 'max');
});
