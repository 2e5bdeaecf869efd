import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState, formatState, parseState } from '../state.js';

test('formatState of the plain list is empty', () => {
  assert.equal(formatState(emptyState()), '');
  assert.deepEqual(parseState(''), emptyState());
});

test('parseState of a link from a message opens that view', () => {
  const state = parseState(
    '?s=demo_call%7Bkind%3D%22response%22%7D&start=-1h&sel=2026-01-02T03:00:00Z..2026-01-02T03:05:00Z&y=lin&unit=ms&p=50,99.99&live=1&theme=dark' +
      '&pin=demo_call{kind="service"}@2026-01-01T03:00:00Z..2026-01-01T03:05:00Z',
  );
  assert.deepEqual(state, {
    ...emptyState(),
    view: 'series',
    series: ['demo_call{kind="response"}'],
    start: '-1h',
    y: 'lin',
    unit: 'ms',
    live: true,
    theme: 'dark',
    percentiles: ['50', '99.99'],
    sel: { start: '2026-01-02T03:00:00Z', end: '2026-01-02T03:05:00Z' },
    pins: [{ selector: 'demo_call{kind="service"}', start: '2026-01-01T03:00:00Z', end: '2026-01-01T03:05:00Z' }],
  });
});

test('parseState of nonsense keeps the defaults', () => {
  const state = parseState(
    '?unit=parsec&y=cubic&p=50,many,101&sel=..&pin=@..&base=-1&metric=x&sort=<b>&theme=pink&view=list',
  );
  assert.deepEqual(state, { ...emptyState(), percentiles: ['50'] });
});

test('a selector with the characters that the URL uses itself comes back', () => {
  const selector = 'a{mail="x@y..z",path="/p?q=1&s=2#f+g h%20",quote="\\"",umlaut="ä"}';
  const state = {
    ...emptyState(),
    view: 'series',
    series: [selector],
    pins: [{ selector, start: '2026-01-01T00:00:00Z', end: 'now' }],
  };
  assert.deepEqual(parseState(formatState(state)), state);
});

for (const seed of [1, 7, 42]) {
  test(`a state comes back from its URL, whatever it is, seed ${seed}`, () => {
    const next = random(seed);
    const pick = (...choices) => choices[Math.floor(next() * choices.length)];
    const text = () =>
      Array.from({ length: 1 + Math.floor(next() * 12) }, () =>
        String.fromCharCode(33 + Math.floor(next() * 400)),
      ).join('');
    const span = () => ({
      start: pick('-5m', '2026-01-01T00:00:00Z', '1767225600'),
      end: pick('now', '2026-01-02T00:00:00.123Z'),
    });
    for (let round = 0; round < 300; round++) {
      const series = Array.from({ length: Math.floor(next() * 4) }, (unused, i) => `${text()}${i}`);
      const state = {
        view: series.length === 0 ? 'list' : pick('list', 'series'),
        q: pick('', text()),
        past: pick('', 'range', '-24h'),
        sort: pick('name', '-p99'),
        series,
        start: pick('', '-1h', '0'),
        end: pick('', '-5m'),
        sel: pick(null, span()),
        pins: pick(
          [],
          [
            { selector: text(), ...span() },
            { selector: text(), ...span() },
          ],
        ),
        percentiles: pick([], ['50', '99.999']),
        unit: pick('auto', 'us'),
        y: pick('log', 'lin'),
        live: pick(true, false),
        focus: pick('', text()),
        metric: pick('99', '100'),
        base: pick(0, 3),
        theme: pick('', 'dark'),
        zone: pick('', 'local', 'utc'),
      };
      assert.deepEqual(parseState(formatState(state)), state, formatState(state));
    }
  });
}

function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
