// Service level agreements about what is open, judged on exactly the range that is shown.

import { Latest, ask } from './api.js';
import { fill, h } from './dom.js';
import { spanOf } from './model.js';
import { clockText } from './times.js';
import { exactValue, formatCount, formatValue, percentileName } from './units.js';

/** Shows the rules that concern the open series, and tells which limits there are. */
export class SlaPanel {
  #latest = new Latest();
  #asked = '';
  #rules = [];
  #names = [];
  #unit = 'auto';

  /** @param {import('./main.js').App} app @param {(limits: any[]) => void} onlimits called when other rules concern what is open */
  constructor(app, onlimits) {
    this.app = app;
    this.onlimits = onlimits;
    this.body = h('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'Agreements' });
    this.element = h(
      'section',
      { class: 'panel sla', 'aria-label': 'Service level agreements', hidden: true },
      h('header', {}, h('h2', {}, 'SLA')),
      this.body,
    );
  }

  /** @param {import('./state.js').State} state @param {import('./model.js').Range} range */
  async update(state, range) {
    this.#unit = state.unit;
    const asked = JSON.stringify(range);
    if (asked === this.#asked) {
      this.#draw();
      return;
    }
    this.#asked = asked;
    const signal = this.#latest.next();
    try {
      this.#rules = (await ask('api/v1/sla', spanOf(range), signal)).data.slas;
      this.#match();
    } catch (failure) {
      // The other panels ask about the same range and say what is wrong with it.
      if (!signal.aborted) {
        this.#rules = [];
        this.#match();
        this.app.failed(failure);
      }
    }
  }

  /** @param {string[]} names of the series that are shown, as the API has them */
  concern(names) {
    this.#names = names;
    this.#match();
  }

  stop() {
    this.#latest.cancel();
    this.#asked = '';
  }

  #concerned() {
    return this.#rules.filter((rule) => rule.series.some((name) => this.#names.includes(name)));
  }

  #match() {
    const rules = this.#concerned();
    this.onlimits(
      rules.map((rule) => ({
        name: rule.name,
        unit: rule.unit,
        rows: [...rowsOf(rule)].sort((a, b) => a.percentile - b.percentile),
      })),
    );
    this.#draw();
  }

  #draw() {
    const rules = this.#concerned();
    this.element.hidden = rules.length === 0;
    fill(
      this.body,
      rules.map((rule) => this.#table(rule)),
    );
  }

  #table(rule) {
    const past = rule.past?.rows ?? [];
    const trouble = rule.trouble ?? rule.past?.trouble ?? null;
    return [
      h('p', {}, h('strong', {}, rule.name), ' ', h('code', {}, rule.selector)),
      trouble === null ? null : h('ul', { class: 'notes' }, h('li', {}, trouble)),
      past.length === 0
        ? h('p', { class: 'note' }, 'Nothing to judge in this range.')
        : h(
            'table',
            { class: 'numbers', 'data-testid': 'sla-table', 'data-sla': rule.name },
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                h('th', { scope: 'col' }, 'Percentile'),
                ['Limit', 'Actual'].map((text) => h('th', { scope: 'col', class: 'figure' }, text)),
                h('th', { scope: 'col' }, 'Verdict'),
                h('th', { scope: 'col', class: 'figure' }, 'Above limit'),
                h('th', { scope: 'col' }, 'Worst interval'),
              ),
            ),
            h(
              'tbody',
              {},
              past.map((row) =>
                h(
                  'tr',
                  { 'data-percentile': row.percentile, 'data-met': String(row.met) },
                  h('th', { scope: 'row' }, percentileName(row.percentile)),
                  number(row.limit, rule.unit, this.#unit),
                  number(row.actual, rule.unit, this.#unit),
                  h(
                    'td',
                    {},
                    row.met === null
                      ? h('span', { class: 'badge unknown' }, '? unknown')
                      : row.met
                        ? h('span', { class: 'badge met' }, '✓ met')
                        : h('span', { class: 'badge violated' }, '✕ violated'),
                  ),
                  h('td', { class: 'figure' }, formatCount(BigInt(row.events) - BigInt(row.good))),
                  h('td', {}, this.#worst(row.worst, rule.unit)),
                ),
              ),
            ),
          ),
    ];
  }

  #worst(worst, unit) {
    return worst === null || worst === undefined
      ? '–'
      : h(
          'button',
          {
            class: 'quiet',
            title: 'Select this interval',
            onclick: () => this.app.change({ sel: { start: worst.start, end: worst.end } }),
          },
          `${clockText(Math.floor(Date.parse(worst.start) / 1000) * 1000)}: ${formatValue(worst.actual, unit, this.#unit)}`,
        );
  }
}

function rowsOf(rule) {
  return (
    [rule.past?.rows, rule.total?.rows, ...rule.windows.map((window) => window.rows)].find(
      (rows) => rows !== undefined && rows.length > 0,
    ) ?? []
  );
}

function number(value, unit, wanted) {
  return h(
    'td',
    { class: 'figure', 'data-value': value, title: exactValue(value, unit) },
    formatValue(value, unit, wanted),
  );
}
