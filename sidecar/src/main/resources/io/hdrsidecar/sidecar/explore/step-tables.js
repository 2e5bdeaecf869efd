// The numbers behind the charts over time, as tables: for those who cannot see a chart, and for copying. They are
// long, so they are made when somebody opens them.

import { h, fill } from './dom.js';
import { dateText, clockText } from './times.js';
import { exactValue, formatCount, formatValue } from './units.js';

/**
 * @param {string} title
 * @param {() => any} make the table
 * @returns {{element: HTMLElement, refresh: () => void}} refresh: when the numbers are others
 */
export function whenOpened(title, make) {
  const body = h('div', { class: 'scroll-both', tabindex: '0', role: 'group', 'aria-label': title });
  const element = h('details', { ontoggle: () => refresh() }, h('summary', {}, title), body);
  function refresh() {
    fill(body, element.open ? make() : null);
  }
  return { element, refresh };
}

/** @param {any[]} lines as the time chart has them @param {string} wanted unit */
export function stepsTable(lines, wanted) {
  const byStart = new Map();
  lines.forEach((line, i) => {
    for (const { step } of line.stretches) {
      byStart.set(step.at, byStart.get(step.at) ?? { at: step.at, cells: [], counts: [] });
      byStart.get(step.at).cells[i] = line.value(step);
      byStart.get(step.at).counts[i] = step.count;
    }
  });
  const rows = [...byStart.values()].sort((a, b) => a.at - b.at);
  const oneCount = lines.every((line) => line.stretches === lines[0].stretches);
  return h(
    'table',
    { class: 'numbers', 'data-testid': 'steps-table' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'From'),
        oneCount ? h('th', { scope: 'col', class: 'figure' }, 'Count') : null,
        lines.map((line) => h('th', { scope: 'col', class: 'figure' }, line.label)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map(({ at, cells, counts }) =>
        h(
          'tr',
          { 'data-start': new Date(at).toISOString() },
          h('th', { scope: 'row' }, `${dateText(at)} ${clockText(at)}`),
          oneCount ? h('td', { class: 'figure', 'data-count': counts[0] }, formatCount(counts[0])) : null,
          lines.map((line, i) =>
            h(
              'td',
              { class: 'figure', 'data-value': cells[i] ?? '', title: exactValue(cells[i], line.unit) },
              formatValue(cells[i], line.unit, wanted),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {any} data as /api/v1/heatmap answers @param {string} wanted unit */
export function heatTable(data, wanted) {
  const { edges, unit } = data;
  return h(
    'table',
    { class: 'numbers', 'data-testid': 'heatmap-table' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'From'),
        h('th', { scope: 'col', class: 'figure' }, 'Count'),
        edges.slice(0, -1).map((edge, i) =>
          h(
            'th',
            {
              scope: 'col',
              class: 'figure',
              'data-value': edge,
              title: `${exactValue(edge, unit)} to below ${exactValue(edges[i + 1], unit)}`,
            },
            `≥ ${formatValue(edge, unit, wanted)}`,
          ),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      data.steps.map((step) =>
        h(
          'tr',
          { 'data-start': step.start },
          h('th', { scope: 'row' }, `${dateText(Date.parse(step.start))} ${clockText(Date.parse(step.start))}`),
          h('td', { class: 'figure', 'data-count': step.count }, formatCount(step.count)),
          step.counts.map((count) =>
            h('td', { class: 'figure', 'data-value': count }, Number(count) === 0 ? '' : formatCount(count)),
          ),
        ),
      ),
    ),
  );
}
