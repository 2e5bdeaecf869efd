import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../json.js';

test('parseJson of numbers within 2^53 gives numbers', () => {
  assert.deepEqual(parseJson('{"count": 9007199254740991, "ratio": 1.5e-7, "list": [0, -3, null, true]}'), {
    count: 9007199254740991,
    ratio: 1.5e-7,
    list: [0, -3, null, true],
  });
});

test('parseJson of whole numbers beyond 2^53 keeps every digit', () => {
  const parsed = parseJson(
    '{"max":4611686018427387904,"sum":340282366920938463463374607431768211455,"edge":9007199254740993}',
  );
  assert.equal(parsed.max, 2n ** 62n);
  assert.equal(parsed.sum, 2n ** 128n - 1n);
  assert.equal(parsed.edge, 9007199254740993n);
});

test('parseJson leaves digits in strings and fractions alone', () => {
  const text =
    '{"labels":{"id":"4611686018427387904","q":"a\\"9007199254740993"},"ratio":0.12345678901234567,"n":4611686018427387905}';
  const parsed = parseJson(text);
  assert.equal(parsed.labels.id, '4611686018427387904');
  assert.equal(parsed.labels.q, 'a"9007199254740993');
  assert.equal(parsed.ratio, 0.12345678901234567);
  assert.equal(parsed.n, 4611686018427387905n);
});

test('parseJson of a string that begins as a marked number does leaves it a string', () => {
  const text = '{"labels":{"a":"\\u000142","b":"\\u0001\\u00017","c":"\\u0001x"},"max":4611686018427387904}';
  assert.deepEqual(parseJson(text), {
    labels: { a: '\u000142', b: '\u0001\u00017', c: '\u0001x' },
    max: 4611686018427387904n,
  });
});

test('parseJson of broken text throws as JSON.parse does', () => {
  assert.throws(() => parseJson('{"a": 12345678901234567890'), SyntaxError);
});
