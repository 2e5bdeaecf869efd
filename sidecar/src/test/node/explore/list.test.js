import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.sessionStorage = /** @type {any} */ ({ getItem: () => null, setItem: () => undefined });
/** @type {Map<string, string>} */
const kept = new Map();
globalThis.localStorage = /** @type {any} */ ({ getItem: (key) => kept.get(key) ?? null });
globalThis.document = /** @type {any} */ ({ hidden: false, addEventListener: () => undefined });
globalThis.window = /** @type {any} */ (globalThis);
const { Overview } = await import('../overview.js');
const { openedWith, rangeOfList } = await import('../list-time.js');
const { emptyState, formatState, parseState } = await import('../state.js');
const { placeEnds } = await import('../line-ends.js');
const { highestOf, pointsWithValues } = await import('../spark.js');
const { withZone } = await import('../zone.js');
const { otherWarnings, worthSaying } = await import('../warnings.js');

const HISTORY = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', live: true };
const success = (data, warnings) => new Response(JSON.stringify({ status: 'success', data, warnings }));
const row = (name) => ({ name, labels: {}, selector: name });

/** Runs one load of the list; answers by path and parameters. */
function load(state, overview) {
  const asked = [];
  globalThis.fetch = /** @type {any} */ (
    async (address) => {
      const { pathname, searchParams } = new URL(address, 'http://h/');
      if (pathname.endsWith('/status')) {
        return success({ history: HISTORY });
      }
      if (pathname.endsWith('/sla')) {
        return success({ end: '2026-01-03T00:00:00Z' });
      }
      asked.push(Object.fromEntries(searchParams));
      return overview(searchParams);
    }
  );
  return new Promise((resolve) => {
    const data = new Overview(
      () => undefined,
      (failure) => {
        clearInterval(timer);
        resolve({ data, asked, failure });
      },
    );
    const timer = setInterval(
      () => data.loaded && (clearInterval(timer), setTimeout(() => resolve({ data, asked }), 20)),
      5,
    );
    data.start('', state);
  });
}

test('list of now asks for no range', async () => {
  const { data, asked } = await load(emptyState(), () => success({ window: '1m', total: 1, series: [row('a')] }));
  data.stop();
  assert.deepEqual([asked[0].start, asked[0].figures], [undefined, undefined]);
  assert.equal(data.range, null);
});

test('list of a past asks for names first, then for figures, of the same range', async () => {
  const { data, asked } = await load({ ...emptyState(), past: '-24h' }, () =>
    success({ range: {}, total: 1, series: [{ ...row('a'), ended: true }] }, ['not cut']),
  );
  data.stop();
  assert.deepEqual(
    asked.map((each) => [each.start, each.end, each.figures]),
    [
      ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', 'false'],
      ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', undefined],
    ].map(([start, end, figures]) => [asked[0].start, asked[0].end, figures]),
  );
  assert.equal(Date.parse(asked[0].end) - Date.parse(asked[0].start), 24 * 3600e3);
  assert.ok(data.rows[0].ended);
  assert.deepEqual(data.warnings, ['not cut']);
});

test('list of a past that is too much to add up has its names, and says why there are no figures', async () => {
  const { data } = await load({ ...emptyState(), past: '0' }, (asked) =>
    asked.get('figures') === 'false'
      ? success({ range: {}, total: 1, series: [row('a')] })
      : new Response(JSON.stringify({ error: 'more than 10 intervals' }), { status: 422 }),
  );
  data.stop();
  assert.equal(data.rows.length, 1);
  assert.match(data.warnings[0], /without figures: more than 10 intervals/);
});

test('rangeOfList is of now, of a time before, of all, or of the URL', () => {
  const now = Date.parse('2026-01-03T00:00:00Z');
  const extent = { start: Date.parse(HISTORY.start), end: Date.parse(HISTORY.end), live: true };
  assert.equal(rangeOfList(emptyState(), now, extent), null);
  assert.deepEqual(rangeOfList({ ...emptyState(), past: '-1h' }, now, extent), { start: now - 3600e3, end: now });
  assert.deepEqual(rangeOfList({ ...emptyState(), past: '0' }, now, extent), { start: extent.start, end: now });
  const own = { ...emptyState(), past: 'range', start: '2026-01-01T01:00:00Z', end: '2026-01-01T02:00:00Z' };
  assert.deepEqual(rangeOfList(own, now, extent), { start: Date.parse(own.start), end: Date.parse(own.end) });
});

test('openedWith of an ended series is the time that it has something, else the range of the list', () => {
  const past = { ...emptyState(), past: '-24h' };
  const ended = { ended: true, covered: { start: '2026-01-01T00:00:00.500Z', end: '2026-01-01T00:10:00Z' } };
  assert.deepEqual(openedWith(past, ended), {
    start: '2026-01-01T00:00:00Z',
    end: '2026-01-01T00:10:01Z',
    live: false,
  });
  assert.deepEqual(openedWith(past), { start: '-24h', end: '', live: false });
  assert.deepEqual(openedWith(emptyState(), ended), {});
});

test('past of the list is in the URL, and what is no time is left out', () => {
  assert.equal(formatState({ ...emptyState(), past: '-24h' }), '?past=-24h');
  assert.equal(parseState('?past=-24h').past, '-24h');
  assert.equal(parseState('?past=range&start=-1h').past, 'range');
  assert.equal(parseState('?past=yesterday').past, '');
});

test('placeEnds of equal ends has the greater percentile above, and none over another', () => {
  const placed = placeEnds(
    [
      { text: 'p50', y: 90, rank: 50, colour: '' },
      { text: 'p99.9', y: 20, rank: 99.9, colour: '' },
      { text: 'max', y: 20, rank: 100, colour: '' },
    ],
    0,
    200,
    14,
  );
  assert.deepEqual(
    placed.map((each) => each.text),
    ['max', 'p99.9', 'p50'],
  );
  assert.ok(placed[1].y - placed[0].y >= 14);
});

test('placeEnds at the lower edge keeps all within the room', () => {
  const placed = placeEnds(
    [
      { text: 'a', y: 100, colour: '' },
      { text: 'b', y: 100, colour: '' },
    ],
    0,
    100,
    10,
  );
  assert.deepEqual(
    placed.map((each) => each.y),
    [85, 95],
  );
});

test('highestOf keeps every digit', () => {
  assert.equal(highestOf([1, null, 4611686018427387903n, 7]), 4611686018427387903n);
  assert.equal(highestOf([null]), 0);
});

test('otherWarnings has each once, and none that stands beside the distribution', () => {
  const all = new Map([
    ['time', ['cut', 'index']],
    ['heatmap', ['index']],
    ['distribution', ['cut']],
  ]);
  assert.deepEqual(otherWarnings(all, 'distribution'), ['index']);
});

test('withZone is what was chosen last, unless the URL says', () => {
  assert.equal(withZone(emptyState()).zone, '');
  kept.set('hdr-sidecar-tz', 'utc');
  assert.equal(withZone(emptyState()).zone, 'utc');
  assert.equal(withZone(parseState('?tz=local')).zone, 'local');
  kept.set('hdr-sidecar-tz', 'Mars');
  assert.equal(withZone(emptyState()).zone, '');
});

test('pointsWithValues is how far back any has something', () => {
  const spark = (...max) => ({ max });
  assert.equal(pointsWithValues([spark(null, null, null, 5, null), spark(null, null, 1, null, null)], 1), 3);
  assert.equal(pointsWithValues([spark(null, null, null)], 2), 2);
});

test('worthSaying leaves out which time is covered, which stands below the distribution', () => {
  assert.deepEqual(
    worthSaying([
      'intervals are up to 1.0 s long and are not cut: the answer is about 1 to 2',
      'nothing is kept from before 1',
    ]),
    ['nothing is kept from before 1'],
  );
});
