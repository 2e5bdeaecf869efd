// How a line of the list looks: a series, or the name that several share with the labels that they have in common.

import { fill, h } from './dom.js';
import { isQuiet, shownOf, valueOf } from './list-lines.js';
import { openedWith } from './list-time.js';
import { badgeOf } from './row-badge.js';
import { sparkLine } from './spark.js';
import { formatState } from './state.js';
import { clockText, dateText, rangeText } from './times.js';
import { exactValue, formatCount, formatRate, formatValue } from './units.js';

const FIGURES = [
  ['for-p50', 'p50', 'p50'],
  ['for-p99', 'p99', 'p99'],
  ['for-p999', 'p99.9', 'p999'],
  ['for-max', 'max', 'max'],
];

/**
 * @param {import('./list-lines.js').Line} line
 * @param {any} [known] its element, if it has one; else it is made
 * @param {import('./main.js').App} app
 * @param {number} points of spark lines that are shown
 */
export function lineElement(line, known, app, points) {
  const element =
    known ??
    h('div', {
      role: 'row',
      class: `grid-row is-${line.kind}`,
      'data-testid': line.kind === 'group' ? 'series-group' : 'series-row',
    });
  element.dataset.key = line.key;
  return line.kind === 'group'
    ? groupRow(element, line.group, app)
    : seriesRow(element, line.row, line.group, app, points);
}

function groupRow(element, group, app) {
  const chosen = group.rows.filter((row) => app.state.series.includes(row.selector)).length;
  const all = chosen === group.rows.length;
  element.dataset.name = group.name;
  element.setAttribute('aria-selected', String(all));
  const box = h('input', {
    type: 'checkbox',
    tabindex: '-1',
    checked: all,
    'aria-label': `Choose all ${group.rows.length} of ${group.name}`,
  });
  box.indeterminate = chosen > 0 && !all;
  const selectors = opensAs(group);
  const link = formatState({ ...app.state, ...openedWith(app.state), view: 'series', series: selectors });
  const common = group.common.map(([key, value]) => `${key}=${value}`).join('  ');
  return fill(
    element,
    h('span', { role: 'gridcell' }, box),
    h(
      'span',
      { class: 'series-name', role: 'gridcell', title: group.name + (common === '' ? '' : `  ${common}`) },
      h(
        'span',
        { class: 'first' },
        h(
          'a',
          {
            href: link,
            tabindex: '-1',
            'data-testid': 'open-group',
            title: group.mayMerge ? 'Open all of them merged into one' : 'Open all of them side by side',
          },
          group.name,
        ),
        h('span', { class: 'labels' }, `${formatCount(group.rows.length)} series`),
        common === '' ? null : h('span', { class: 'labels common' }, common),
      ),
      cells(group.columns, (column) => h('span', { class: 'cell title' }, column.title)),
    ),
  );
}

/** @param {import('./list-lines.js').Group} group @returns {string[]} what its name opens: the sum, or each, where they must not be added up */
export function opensAs(group) {
  return group.mayMerge && group.rows.every((row) => !row.ended) ? [group.name] : group.rows.map((row) => row.selector);
}

function seriesRow(element, row, group, app, points) {
  const { state } = app;
  const chosen = state.series.includes(row.selector);
  element.dataset.selector = row.selector;
  element.dataset.ended = String(row.ended === true);
  element.dataset.quiet = String(isQuiet(row));
  element.classList.toggle('in-group', group !== null);
  element.setAttribute('aria-selected', String(chosen));
  const shown = shownOf(row);
  const idle = isQuiet(row) || shown.count === 0 || shown.count === null ? ' idle' : '';
  const link = formatState({ ...state, ...openedWith(state, row), view: 'series', series: [row.selector] });
  const rateTitle =
    shown.count === null ? '' : `${formatCount(shown.count)} values${isQuiet(row) ? `, ${lastText(row)}` : ''}`;
  return fill(
    element,
    h(
      'span',
      { role: 'gridcell' },
      h('input', { type: 'checkbox', tabindex: '-1', checked: chosen, 'aria-label': `Choose ${row.selector}` }),
    ),
    h(
      'span',
      { class: 'series-name', role: 'gridcell', title: row.selector },
      h(
        'a',
        { href: link, tabindex: '-1', 'data-testid': 'open-series', 'aria-label': row.selector },
        group === null ? row.name : labelCells(row, group),
      ),
      group === null
        ? h(
            'span',
            { class: 'labels' },
            Object.entries(row.labels)
              .map(([key, value]) => `${key}=${value}`)
              .join('  '),
          )
        : null,
    ),
    h('span', { class: 'for-spark', role: 'gridcell' }, sparkLine(row.spark, row.unit, points)),
    h(
      'span',
      { class: `figure for-rate${idle}`, role: 'gridcell', title: rateTitle, 'data-value': shown.ratePerSecond ?? '' },
      h('span', { class: 'caption' }, 'rate'),
      formatRate(shown.ratePerSecond),
    ),
    FIGURES.map(([css, caption, key]) =>
      h(
        'span',
        {
          class: `figure ${css}${idle}`,
          role: 'gridcell',
          title: exactValue(shown[key], row.unit),
          'data-value': shown[key] ?? '',
        },
        h('span', { class: 'caption' }, caption),
        key === 'max' ? exemplarMark(row) : null,
        formatValue(shown[key], row.unit, state.unit),
      ),
    ),
    h(
      'span',
      { class: 'for-sla', role: 'gridcell', 'data-value': row.sla ?? '' },
      badgeOf(row, isQuiet(row) ? lastText(row) : ''),
    ),
  );
}

function labelCells(row, group) {
  return cells(group.columns, (column) => {
    const text = valueOf(row, column.keys);
    return h(
      'span',
      { class: 'cell', title: text, 'data-label': column.keys.join(' ') },
      h('span', { class: 'caption' }, `${column.title}=`),
      text,
    );
  });
}

/** Rows are apart from each other, so their columns have equal shares of an equal width. */
function cells(columns, cell) {
  const element = h('span', { class: 'cells' }, columns.map(cell));
  element.style.gridTemplateColumns = columns
    .map(({ width }) => `minmax(${Math.min(width, 7)}ch, ${width}fr)`)
    .join(' ');
  return element;
}

function lastText(row) {
  return `the last minute with values, ${rangeText(Date.parse(row.last.start), Date.parse(row.last.end))}`;
}

/** That there are values with traces, and the slowest of them. */
function exemplarMark(row) {
  const [slowest] = row.exemplars ?? [];
  if (slowest === undefined) {
    return null;
  }
  const at = Date.parse(slowest.time);
  return h(
    'span',
    {
      class: 'mark',
      'data-testid': 'exemplar',
      title: `Slowest with a trace: ${exactValue(slowest.value, row.unit)}, trace ${slowest.traceId}, ${dateText(at)} ${clockText(at)}`,
    },
    h('span', { 'aria-hidden': 'true' }, '◆'),
    h('span', { class: 'unseen' }, 'has traces'),
  );
}
