// Percentile by percentile in numbers: each line of the distribution, and against the first one its ratio, as
// /api/v1/compare has it. This is the text that stands for the distribution chart, too.

import { h } from './dom.js';
import { exactValue, formatCount, formatRatio, formatValue, percentileName } from './units.js';
import { rangeText } from './times.js';

/** What the table asks for; rows that the count says nothing about are left out. */
export const TABLE_PERCENTILES = ['50', '75', '90', '95', '99', '99.9', '99.99', '99.999', '99.9999', '100'];

/**
 * @typedef {{item: import('./model.js').Item, data: any|null, ratios: Map<string, number|null>|null}} Column
 *   data as /api/v1/histogram answers; null while it is not there
 */

/**
 * @param {Column[]} columns
 * @param {number} base index of the column that the others are held against
 * @param {{wanted: string, onbase: (index: number) => void}} options
 */
export function percentileTable(columns, base, { wanted, onbase }) {
  const compare = columns.length > 1;
  const most = columns.reduce(
    (all, { data }) => (data !== null && Number(data.count) > all ? Number(data.count) : all),
    0,
  );
  const rows = percentilesIn(columns).filter((p) => Number(p) === 100 || ((100 - Number(p)) / 100) * most >= 1 - 1e-9);
  const isRatio = (i) => compare && i !== base;
  const table = h(
    'table',
    { class: 'numbers', 'data-testid': 'percentile-table' },
    h(
      'caption',
      { class: 'unseen' },
      compare ? 'Percentiles of each line, and how many times those of the base they are' : 'Percentiles',
    ),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Percentile'),
        columns.map(({ item }, i) => [
          h(
            'th',
            {
              scope: 'col',
              class: 'figure',
              title: `${item.selector}, ${rangeText(item.range.start, item.range.end)}`,
            },
            heading(item, compare, i === base, () => onbase(i)),
          ),
          isRatio(i)
            ? h('th', { scope: 'col', class: 'figure ratio' }, `${item.letter} / ${columns[base].item.letter}`)
            : null,
        ]),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((p) =>
        h(
          'tr',
          { 'data-percentile': p },
          h('th', { scope: 'row' }, percentileName(p)),
          columns.map((column, i) => [
            value(valueOf(column.data, p), column.data, wanted),
            isRatio(i) ? ratio(column.ratios?.get(p)) : null,
          ]),
        ),
      ),
      plain('min', columns, isRatio, (data) => value(data?.min, data, wanted)),
      plain('count', columns, isRatio, (data) =>
        h(
          'td',
          { class: 'figure', 'data-testid': 'count', 'data-value': data === null ? '' : data.count },
          data === null ? '…' : formatCount(data.count),
        ),
      ),
    ),
  );
  return compare
    ? h(
        'div',
        { class: 'scroll-x', 'data-testid': 'compare-table', tabindex: '0', role: 'group', 'aria-label': 'Comparison' },
        table,
      )
    : table;
}

function percentilesIn(columns) {
  const all =
    columns.find(({ data }) => data !== null)?.data.percentiles.map((each) => String(each.percentile)) ??
    TABLE_PERCENTILES;
  return [...new Set(all)].sort((a, b) => Number(a) - Number(b));
}

function heading(item, compare, isBase, onclick) {
  const key = h('span', { class: `key key-${(item.index % 8) + 1}` }, item.letter);
  return compare
    ? h(
        'button',
        {
          class: 'quiet base',
          'aria-pressed': String(isBase),
          title: isBase ? 'The others are compared with this' : 'Compare the others with this',
          onclick,
        },
        key,
        isBase ? ' base' : '',
      )
    : 'Value';
}

function plain(name, columns, isRatio, cell) {
  return h(
    'tr',
    { class: 'extra', 'data-row': name },
    h('th', { scope: 'row' }, name),
    columns.map(({ data }, i) => [cell(data), isRatio(i) ? h('td', {}) : null]),
  );
}

function valueOf(data, percentile) {
  if (data === null || data.count === 0) {
    return null;
  }
  return data.percentiles.find((each) => String(each.percentile) === percentile)?.value;
}

function value(number, data, wanted) {
  const known = number !== null && number !== undefined;
  return h(
    'td',
    { class: 'figure', 'data-value': known ? number : '', title: known ? exactValue(number, data.unit) : null },
    data === null ? '…' : formatValue(number, data.unit, wanted),
  );
}

/** The word and the sign say what the colour says. */
function ratio(number) {
  const slower = number !== null && number !== undefined && number >= 1.1;
  const faster = number !== null && number !== undefined && number <= 1 / 1.1;
  return h(
    'td',
    { class: `figure ratio${slower ? ' slower' : faster ? ' faster' : ''}`, 'data-ratio': number ?? '' },
    number === undefined ? '…' : formatRatio(number),
    slower ? ' ▲' : faster ? ' ▼' : '',
  );
}
