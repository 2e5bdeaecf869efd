// The panel of the distribution: chart, what it covers, numbers, comparison and downloads.

import { Latest, ask } from './api.js';
import { DistributionChart } from './distribution-chart.js';
import { downloads } from './exports.js';
import { fill, h, refill, say, soon } from './dom.js';
import { spanOf } from './model.js';
import { percentileText, staircase, valueAt } from './percentile-axis.js';
import { TABLE_PERCENTILES, percentileTable } from './percentile-table.js';
import { errorMessage } from './messages.js';
import { lineName } from './palette.js';
import { rangeText } from './times.js';
import { formatCount, formatValue } from './units.js';
import { worthSaying } from './warnings.js';

/** More lines than these nobody tells apart, and each is asked for anew with every range. */
const MOST_LINES = 16;
/** A table with more columns cannot be read. */
const MOST_COMPARED = 12;

/** Shows the distributions of all items, each of exactly its range. */
export class DistributionPanel {
  #latest = new Latest();
  #asked = '';
  #state = /** @type {any} */ (null);
  /** @type {{item: import('./model.js').Item, data: any, warnings: string[], stairs: any, ratios: Map<string, number|null>|null, error: string, advice?: string}[]} */
  #lines = [];
  #limits = [];
  #left = 0;
  #draw = soon(() => this.#drawNow());

  /**
   * @param {import('./main.js').App} app
   * @param {(names: string[]) => void} onseries which series are shown
   * @param {(warnings: string[]) => void} onwarnings which warnings are
   */
  constructor(app, onseries, onwarnings) {
    this.app = app;
    this.onwarnings = onwarnings;
    this.onseries = onseries;
    this.host = h('div', {
      class: 'chart',
      'data-testid': 'chart-distribution',
      role: 'img',
      'aria-label': 'Percentile distribution; the table below has its numbers',
    });
    this.readout = h('p', { class: 'readout', 'aria-hidden': 'true' });
    this.covers = h('p', { class: 'note covers', 'data-testid': 'covers' });
    this.notes = h('ul', { class: 'notes', 'data-testid': 'warnings' });
    this.message = h('div', {});
    this.table = h('div', {});
    this.downloads = h('div', { class: 'downloads' });
    this.element = h(
      'section',
      { class: 'panel distribution', 'aria-label': 'Distribution' },
      h('header', {}, h('h2', {}, 'Distribution'), this.downloads),
      this.message,
      this.host,
      this.readout,
      this.covers,
      this.notes,
      this.table,
    );
    this.chart = new DistributionChart(this.host, (place) => this.#read(place));
  }

  /**
   * @param {import('./state.js').State} state
   * @param {import('./model.js').Item[]} all
   */
  async update(state, all) {
    this.#state = state;
    const pins = all.filter((item) => item.pinned);
    const items = [...all.filter((item) => !item.pinned).slice(0, MOST_LINES - pins.length), ...pins];
    this.#left = all.length - items.length;
    const asked = JSON.stringify([items.map((item) => [item.selector, item.range]), state.percentiles, state.base]);
    if (asked === this.#asked) {
      this.#draw();
      return;
    }
    this.#asked = asked;
    const signal = this.#latest.next();
    const old = new Map(this.#lines.map((line) => [line.item.selector + line.item.pinned, line]));
    // Until the new answer is there the old line stays, dimmed: a blink would be harder to read.
    this.#lines = items.map((item) => ({
      data: null,
      warnings: [],
      stairs: null,
      error: '',
      ...old.get(item.selector + item.pinned),
      item,
      ratios: null,
    }));
    this.element.setAttribute('aria-busy', 'true');
    this.#draw();
    const percentiles = [...new Set([...TABLE_PERCENTILES, ...state.percentiles])].join(',');
    const base = this.#lines[this.#base()].item;
    await Promise.all(this.#lines.map((line) => this.#load(line, base, percentiles, signal)));
    if (!signal.aborted) {
      this.element.removeAttribute('aria-busy');
      const [first] = this.#lines;
      this.app.announce(
        first.data === null ? 'No distribution' : `Distribution of ${formatCount(first.data.count)} values shown`,
      );
    }
  }

  /** @returns {number} place of the line that the others are held against */
  #base() {
    const place = this.#lines.findIndex((line) => line.item.index === this.#state.base);
    return place < 0 || place >= MOST_COMPARED ? 0 : place;
  }

  async #load(line, base, percentiles, signal) {
    const { item } = line;
    const isBase = item.index === base.index;
    try {
      const { data, warnings } = await ask(
        'api/v1/histogram',
        { series: item.selector, ...spanOf(item.range), buckets: 'true', percentiles },
        signal,
      );
      line.error = '';
      line.data = data;
      line.warnings = worthSaying(warnings);
      line.stairs = staircase(data.buckets, data.max);
      this.onseries(this.#lines.flatMap((each) => each.data?.series ?? []));
      this.#draw();
      if (!isBase && this.#lines.indexOf(line) < MOST_COMPARED) {
        const a = spanOf(base.range);
        const b = spanOf(item.range);
        const compared = await ask(
          'api/v1/compare',
          {
            a: base.selector,
            aStart: a.start,
            aEnd: a.end,
            b: item.selector,
            bStart: b.start,
            bEnd: b.end,
            percentiles,
          },
          signal,
        );
        line.ratios = new Map(compared.data.percentiles.map((row) => [String(row.percentile), row.ratio]));
        this.#draw();
      }
    } catch (failure) {
      const told = signal.aborted ? null : this.app.failed(failure);
      if (told !== null) {
        line.error = told.text;
        line.ratios = new Map();
        if (!isBase && line.data !== null) {
          line.warnings = [...line.warnings, `not compared: ${told.text}`];
          line.error = '';
        } else {
          line.data = null;
          line.stairs = null;
        }
        line.advice = told.advice;
        this.#draw();
      }
    }
  }

  /** @param {any[]} limits rules of service level agreements whose series are shown */
  setLimits(limits) {
    this.#limits = limits;
    this.#draw();
  }

  stop() {
    this.#latest.cancel();
    this.#asked = '';
  }

  #drawNow() {
    const state = this.#state;
    const lines = this.#lines;
    const unit = lines.find((line) => line.data !== null)?.data.unit ?? 'ns';
    const drawn = lines.filter((line) => line.stairs !== null && line.data.unit === unit);
    const failed = lines.filter((line) => line.error !== '');
    const empty = lines.length > 0 && lines.every((line) => line.data !== null && line.data.count === 0);
    fill(
      this.message,
      failed.slice(0, 3).map((line) => errorMessage(line.item.selector, line.error, line.advice ?? '')),
      empty
        ? h(
            'p',
            { class: 'nothing', 'data-testid': 'empty-state' },
            'Nothing was recorded in this range. Choose an earlier or a longer one.',
          )
        : null,
    );
    this.host.hidden = empty || failed.length === lines.length;
    this.readout.hidden = this.host.hidden;
    this.table.hidden = failed.length === lines.length;
    if (drawn.length > 0 && !this.host.hidden) {
      this.chart.show(
        drawn.map((line) => ({
          index: line.item.index,
          letter: line.item.letter,
          label: line.item.name,
          stairs: line.stairs,
        })),
        this.#limits.filter((rule) => rule.unit === unit),
        { y: state.y, unit, wanted: state.unit },
      );
    }
    this.#sayCovered(lines, unit);
    refill(
      this.table,
      percentileTable(
        lines.slice(0, MOST_COMPARED).map((line) => ({ item: line.item, data: line.data, ratios: line.ratios })),
        this.#base(),
        { wanted: state.unit, onbase: (place) => this.app.change({ base: lines[place].item.index }) },
      ),
    );
    const offered = JSON.stringify(lines.map((line) => [line.item.selector, line.item.range]));
    if (this.downloads.dataset.of !== offered) {
      this.downloads.dataset.of = offered;
      fill(
        this.downloads,
        downloads(
          lines.map((line) => line.item),
          this,
        ),
      );
    }
    this.#read(null);
  }

  #sayCovered(lines, unit) {
    const covered = lines[0]?.data?.covered;
    say(
      this.covers,
      covered?.start
        ? `Covers ${rangeText(Date.parse(covered.start), Date.parse(covered.end))}, ${formatCount(covered.intervals)} intervals, the longest ${covered.resolutionSeconds} s${lines.length > 1 ? ` (${lines[0].item.letter})` : ''}. Every interval is whole: none is cut at an edge.`
        : '',
    );
    /** @type {Map<string, string[]>} */
    const byText = new Map();
    for (const line of lines) {
      line.warnings.forEach((text) => byText.set(text, [...(byText.get(text) ?? []), line.item.letter]));
    }
    this.onwarnings([...byText.keys()]);
    const notes = new Set(
      [...byText].map(([text, letters]) => (lines.length > 1 ? `${letters.join(', ')}: ${text}` : text)),
    );
    if (lines.some((line) => line.data !== null && line.data.unit !== unit)) {
      notes.add('Series of another unit have no line here; the table has their numbers.');
    }
    if (this.#left > 0) {
      notes.add(`Distributions of the first ${lines.length} of ${lines.length + this.#left} are drawn.`);
    }
    if (lines.length > MOST_COMPARED) {
      notes.add(`The table has the first ${MOST_COMPARED} lines.`);
    }
    fill(
      this.notes,
      [...notes].slice(0, 8).map((text) => h('li', {}, text)),
    );
  }

  /** What is under the cursor. */
  #read(place) {
    const drawn = this.#lines.filter((line) => line.stairs !== null && line.stairs.values.length > 0);
    if (place === null || drawn.length === 0) {
      fill(this.readout, h('span', { class: 'note' }, 'Point at the chart to read a percentile.'));
      return;
    }
    const shown = Math.max(0, Math.min(place, Math.max(...drawn.map((line) => line.stairs.end))));
    fill(
      this.readout,
      h('strong', {}, `p${percentileText(shown)}`),
      drawn
        .slice(0, 8)
        .map((line) =>
          h(
            'span',
            {},
            h('span', { class: `key key-${lineName(line.item.index).slice(5)}` }, line.item.letter),
            ` ${shown > line.stairs.end ? '–' : formatValue(valueAt(line.stairs, shown), line.data.unit, this.#state.unit)}`,
          ),
        ),
    );
  }

  /** What a picture of the chart says besides the chart. */
  picture() {
    const lines = this.#lines;
    return {
      plot: this.chart.chart.plot,
      title: 'Percentile distribution',
      texts: lines.map((line) => ({
        colour: lineName(line.item.index),
        text: `${line.item.letter}  ${line.item.selector}   ${rangeText(line.item.range.start, line.item.range.end)}   ${line.data === null ? '' : `${formatCount(line.data.count)} values`}`,
      })),
      name: 'distribution',
    };
  }
}
