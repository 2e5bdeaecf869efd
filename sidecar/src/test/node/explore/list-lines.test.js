import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.sessionStorage = /** @type {any} */ ({ getItem: () => null });
globalThis.document = /** @type {any} */ ({ addEventListener: () => undefined });
const { linesOf, shownOf, valueOf } = await import('../list-lines.js');
const { searchText } = await import('../selector.js');

const row = (name, labels, figures = {}) => {
  const made = {
    name,
    labels,
    selector: `${name}${JSON.stringify(labels)}`,
    count: 10,
    ratePerSecond: 1,
    p50: 1,
    p99: 1,
    p999: 1,
    max: 1,
    sla: null,
    ...figures,
  };
  return /** @type {any} */ ({ ...made, text: searchText(made) });
};
const request = (error, method, outcome, status, uri, figures) =>
  row('http_server_requests', { error, exception: error, method, outcome, status, uri }, figures);
/** What a Spring Boot application has after some requests. */
const BOOT = [
  request('none', 'GET', 'SUCCESS', '200', '/owners/{ownerId}'),
  request('none', 'GET', 'SUCCESS', '200', '/vets'),
  request('none', 'GET', 'CLIENT_ERROR', '404', '/**'),
  request('none', 'GET', 'REDIRECTION', '302', '/owners/new'),
  request('IllegalStateException', 'GET', 'SERVER_ERROR', '500', '/oups'),
];
const text = (lines) =>
  lines.map((line) =>
    line.kind === 'group'
      ? `${line.group.name}:`
      : valueOf(line.row, line.group === null ? [] : line.group.columns[0].keys),
  );

test('linesOf a name that several series have is a line of its own, before them', () => {
  const lines = linesOf([row('b', { x: '1' }), row('a', { x: '2' }), row('a', { x: '1' })], 'name');
  assert.deepEqual(
    lines.map((line) => line.kind),
    ['group', 'series', 'series', 'series'],
  );
  assert.deepEqual(text(lines), ['a:', '1', '2', '']);
  assert.equal(/** @type {any} */ (lines[3]).group, null);
});

test('linesOf a Spring Boot application has columns for what differs, the route first, and says once what is the same', () => {
  const [{ group }] = /** @type {any} */ (linesOf(BOOT, 'name'));
  assert.deepEqual(
    group.columns.map(({ keys }) => keys),
    [['uri'], ['outcome'], ['status'], ['error', 'exception']],
  );
  assert.deepEqual(group.common, [['method', 'GET']]);
  assert.deepEqual(
    group.columns.map(({ title }) => title),
    ['uri', 'outcome', 'status', 'error, exception'],
  );
  assert.equal(valueOf(BOOT[4], ['error', 'exception']), 'IllegalStateException', 'once');
});

test('linesOf more labels than there is room for has the last ones together', () => {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    row('a', Object.fromEntries(['k', 'l', 'm', 'n', 'o', 'p', 'q'].map((key, j) => [key, i <= j ? 'yes' : 'no']))),
  );
  const [{ group }] = /** @type {any} */ (linesOf(rows, 'name'));
  assert.equal(group.columns.length, 5);
  assert.deepEqual(group.columns.flatMap(({ keys }) => keys).sort(), ['k', 'l', 'm', 'n', 'o', 'p', 'q']);
});

test('linesOf rows of which some lack a label has it as a column', () => {
  const [{ group }] = /** @type {any} */ (linesOf([row('a', {}), row('a', { x: '1' })], 'name'));
  assert.deepEqual(
    group.columns.map(({ keys }) => keys),
    [['x']],
  );
});

test('linesOf kinds of one call, which must not be added up, says so', () => {
  const [{ group }] = /** @type {any} */ (
    linesOf([row('a', { kind: 'service' }), row('a', { kind: 'response' })], 'name')
  );
  assert.equal(group.mayMerge, false);
  assert.equal(/** @type {any} */ (linesOf(BOOT, 'name')[0]).group.mayMerge, true);
});

test('linesOf some of the series of a name does not let that name stand for them', () => {
  assert.equal(/** @type {any} */ (linesOf(BOOT.slice(0, 2), 'name', () => BOOT.length)[0]).group.mayMerge, false);
});

test('linesOf in the order of a figure keeps names together, the worst of them first', () => {
  const lines = linesOf(
    [
      row('a', { x: '1' }, { p99: 5 }),
      row('b', { x: '1' }, { p99: 9 }),
      row('b', { x: '2' }, { p99: 1 }),
      row('a', { x: '2' }, { p99: 7 }),
    ],
    '-p99',
  );
  assert.deepEqual(text(lines), ['b:', '1', '2', 'a:', '2', '1']);
});

test('linesOf has quiet series behind the others, and those without figures last', () => {
  const quiet = row(
    'quiet',
    {},
    { count: 0, p99: null, last: { count: 3, ratePerSecond: 2, p50: 7, p99: 8, p999: 9, max: 10 } },
  );
  const never = row('never', {}, { count: 0, p99: null, last: null });
  for (const sort of ['-p99', 'p99']) {
    assert.deepEqual(
      linesOf([never, quiet, row('live', {}, { p99: 2 })], sort).map((line) => /** @type {any} */ (line).row.name),
      ['live', 'quiet', 'never'],
    );
  }
  assert.deepEqual([shownOf(quiet).p99, shownOf(quiet).count, shownOf(never).p99], [8, 3, null]);
});
