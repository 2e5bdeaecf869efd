// The lines of the list: series in the order that is wanted, and those of one name together, below a line of its own
// that has what they share. The labels that tell them apart become columns, each with a width of its own.

import { slaRank } from './row-badge.js';

/** With more columns none could be read; the labels that are left stand together in the last. */
const MOST_COLUMNS = 5;
const LEAST_WIDTH = 4;
const MOST_WIDTH = 30;
const NATURAL = new Intl.Collator('en', { numeric: true });

/**
 * @typedef {import('./overview.js').Row} Row
 * @typedef {{title: string, keys: string[], width: number}} Column labels that differ, and their width in characters
 * @typedef {{key: string, name: string, rows: Row[], common: [string, string][], columns: Column[], mayMerge: boolean}} Group
 * @typedef {{kind: 'group', key: string, group: Group}|{kind: 'series', key: string, row: Row, group: Group|null}} Line
 */

/**
 * @param {Row[]} rows
 * @param {string} sort column, with a minus for descending
 * @param {(name: string) => number} [howMany] series of a name there are, shown or not; a name stands for all of them
 * @returns {Line[]} groups stand where the first of their series would
 */
export function linesOf(rows, sort, howMany = (name) => rows.filter((row) => row.name === name).length) {
  /** @type {Map<string, Row[]>} */
  const byName = new Map();
  for (const row of ordered(rows, sort)) {
    byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  }
  /** @type {Line[]} */
  const lines = [];
  for (const [name, some] of byName) {
    const group = some.length < 2 ? null : groupOf(name, some);
    if (group !== null) {
      byColumns(group, sort);
      group.mayMerge &&= howMany(name) === some.length;
      lines.push({ kind: 'group', key: group.key, group });
    }
    lines.push(
      ...(group?.rows ?? some).map((row) => /** @type {Line} */ ({ kind: 'series', key: row.selector, row, group })),
    );
  }
  return lines;
}

/** What of a row is shown: of one that is quiet, its last minute with values. @param {Row} row */
export function shownOf(row) {
  return isQuiet(row) ? /** @type {Row} */ ({ ...row, ...row.last }) : row;
}

/** @param {Row} row @returns {boolean} whether it lives and has nothing now */
export function isQuiet(row) {
  return row.count === 0 && row.last !== undefined && row.last !== null;
}

/** Those without a figure last, whichever way the others go, and before them the quiet ones. */
function ordered(rows, sort) {
  const key = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  if (key === 'name') {
    return [...rows].sort((a, b) => sign * NATURAL.compare(a.text, b.text));
  }
  const of = (row) =>
    (key === 'rate' ? shownOf(row).ratePerSecond : key === 'sla' ? slaRank(row.sla) : shownOf(row)[key]) ?? null;
  const rank = (row, value) => (value === null ? 2 : isQuiet(row) ? 1 : 0);
  return [...rows].sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    const byRank = rank(a, x) - rank(b, y);
    return byRank !== 0 || x === null ? byRank : sign * (x < y ? -1 : x > y ? 1 : 0);
  });
}

/** By name means by what one reads first. */
function byColumns(group, sort) {
  const text = new Map(
    group.rows.map((row) => [row, group.columns.map(({ keys }) => valueOf(row, keys)).join('\u0000')]),
  );
  if (sort.endsWith('name')) {
    const sign = sort.startsWith('-') ? -1 : 1;
    group.rows = [...group.rows].sort(
      (a, b) => sign * NATURAL.compare(/** @type {string} */ (text.get(a)), /** @type {string} */ (text.get(b))),
    );
  }
}

/** @returns {Group} */
function groupOf(name, rows) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row.labels)))].sort();
  const values = new Map(keys.map((key) => [key, rows.map((row) => row.labels[key] ?? '')]));
  const distinct = (key) => new Set(values.get(key)).size;
  // What tells most of them apart stands first: of the calls of a web service, the route.
  const differing = keys
    .filter((key) => distinct(key) > 1)
    .sort((a, b) => distinct(b) - distinct(a) || NATURAL.compare(a, b));
  const columns = gathered(differing, (key) => JSON.stringify(values.get(key)));
  return {
    key: `\u0000${name}`,
    name,
    rows,
    common: keys.filter((key) => distinct(key) === 1).map((key) => [key, rows[0].labels[key] ?? '']),
    columns: columns.map((some) => ({ title: some.join(', '), keys: some, width: widthOf(some, rows) })),
    mayMerge: !differing.includes('kind') && !differing.includes('corrected'),
  };
}

/** Labels that always have the same value are one column, and those that there is no room for are the last. */
function gathered(keys, valuesOf) {
  /** @type {Map<string, string[]>} */
  const same = new Map();
  for (const key of keys) {
    same.set(valuesOf(key), [...(same.get(valuesOf(key)) ?? []), key]);
  }
  const columns = [...same.values()];
  return columns.length <= MOST_COLUMNS
    ? columns
    : [...columns.slice(0, MOST_COLUMNS - 1), columns.slice(MOST_COLUMNS - 1).flat()];
}

function widthOf(keys, rows) {
  const longest = Math.max(wide(keys.join(', ')) * 0.8, ...rows.map((row) => wide(valueOf(row, keys))));
  return Math.ceil(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest)));
}

/** About how many digits wide a text is. */
function wide(text) {
  return [...text].reduce((sum, each) => sum + (/[A-ZÄÖÜ_]/.test(each) ? 1.25 : 1), 0);
}

/** @param {Row} row @param {string[]} keys of a column @returns {string} */
export function valueOf(row, keys) {
  return [...new Set(keys.map((key) => row.labels[key] ?? ''))].join(' · ');
}
