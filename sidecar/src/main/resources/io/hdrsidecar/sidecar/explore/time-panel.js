// The panel of latency over time: percentiles and maximum of one series, or one percentile of several.

import { Latest, ask } from './api.js';
import { fill, h, say, soon } from './dom.js';
import { pictureButton } from './exports.js';
import { errorMessage } from './messages.js';
import { spanOf } from './model.js';
import { letter, lineDash, lineName, shadeDash, shadeName } from './palette.js';
import { DEFAULT_PERCENTILES } from './state.js';
import { stretches, timed } from './steps.js';
import { stepsTable, whenOpened } from './step-tables.js';
import { ThroughputChart } from './throughput-chart.js';
import { rated } from './throughput.js';
import { TimeChart } from './time-chart.js';
import { clockText, rangeText, spanText, stepText } from './times.js';
import { formatCount, formatRate, formatValue, isTime, percentileName } from './units.js';

const METRICS = ['100', '99.9', '99', '90', '50'];

/** Shows the steps of all open series. */
export class TimePanel {
  #latest = new Latest();
  #asked = '';
  #shown = '';
  #state = /** @type {any} */ (null);
  #range = /** @type {any} */ (null);
  #step = 1000;
  /** @type {{selector: string, index: number, data: any, steps: any[], error: any, warnings: string[]}[]} */
  #series = [];
  #percentiles = DEFAULT_PERCENTILES;
  /** What is drawn, until there is something else to draw. */
  #lines = /** @type {any[]} */ ([]);
  #rates = /** @type {any[]} */ ([]);
  #exemplars = /** @type {import('./extent.js').Facts['exemplars']} */ ([]);
  #draw = soon(() => this.#drawNow());

  /**
   * @param {import('./main.js').App} app
   * @param {import('./selection.js').TimeSelection} selection
   * @param {(warnings: string[]) => void} onwarnings what the answers say is not as it was asked for
   */
  constructor(app, selection, onwarnings) {
    this.app = app;
    this.onwarnings = onwarnings;
    this.host = h('div', {
      class: 'chart',
      'data-testid': 'chart-time',
      tabindex: '0',
      role: 'group',
      'aria-label':
        'Latency over time. Left and right arrow keys move the selected range, with shift they move its end; Enter zooms, Escape clears it. The numbers are in the table below.',
      onkeydown: (event) => selection.key(event),
    });
    this.throughput = h('div', {
      class: 'chart',
      'data-testid': 'chart-throughput',
      tabindex: '0',
      role: 'group',
      'aria-label':
        'Throughput: values per second, over time. Arrow keys as in the chart above. The counts are in the table below.',
      onkeydown: (event) => selection.key(event),
    });
    this.throughputTitle = h('h3', { class: 'caption-of-chart' }, 'Throughput');
    this.title = h('h2', {}, 'Latency over time');
    this.tools = h('div', { class: 'tools' });
    this.readout = h('p', { class: 'readout', 'aria-hidden': 'true' });
    this.message = h('div', {});
    this.numbers = whenOpened('Numbers of each step', () => stepsTable(this.#lines, this.app.state.unit));
    this.element = h(
      'section',
      { class: 'panel time', 'aria-label': 'Latency over time' },
      h('header', {}, this.title, this.tools, pictureButton(this)),
      this.message,
      this.host,
      this.throughputTitle,
      this.throughput,
      this.readout,
      this.numbers.element,
    );
    this.chart = new TimeChart(this.host, { cursor: (at) => this.#read(at), ready: (u) => selection.attach(u) });
    this.rateChart = new ThroughputChart(this.throughput, {
      cursor: (at) => this.#read(at),
      ready: (u) => selection.attach(u),
    });
  }

  /** @returns {number} milliseconds of a step */
  get step() {
    return this.#step;
  }

  /** @returns {string[]} percentiles of the lines */
  get percentiles() {
    return this.#percentiles;
  }

  /**
   * @param {import('./state.js').State} state
   * @param {import('./model.js').Range} range
   * @param {number} step milliseconds
   * @param {import('./extent.js').Facts['exemplars']} exemplars
   */
  async update(state, range, step, exemplars) {
    this.#state = state;
    this.#range = range;
    this.#exemplars = exemplars;
    const own = state.percentiles.length === 0 ? DEFAULT_PERCENTILES : state.percentiles;
    this.#percentiles = state.series.length === 1 ? [...own].sort((a, b) => Number(a) - Number(b)) : [state.metric];
    const asked = JSON.stringify([state.series, range, step, this.#percentiles]);
    const shown = asked + state.y + state.unit + state.zone;
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    this.#drawTools();
    if (asked === this.#asked) {
      this.#draw();
      return;
    }
    const sameLines =
      this.#step === step &&
      this.#series.map((each) => each.selector).join() === state.series.join() &&
      JSON.parse(this.#asked || '[0,0,0,[]]')[3].join() === this.#percentiles.join();
    this.#asked = asked;
    this.#step = step;
    const signal = this.#latest.next();
    if (!sameLines) {
      this.#series = state.series.map((selector, index) => ({
        selector,
        index,
        data: null,
        steps: [],
        error: null,
        warnings: [],
      }));
      this.element.setAttribute('aria-busy', 'true');
    }
    this.#draw();
    await Promise.all(this.#series.map((each) => this.#load(each, signal)));
    if (!signal.aborted) {
      this.element.removeAttribute('aria-busy');
    }
  }

  async #load(each, signal) {
    try {
      const { data, warnings } = await ask(
        'api/v1/percentiles',
        {
          series: each.selector,
          ...spanOf(this.#range),
          step: stepText(this.#step),
          percentiles: this.#percentiles.join(','),
        },
        signal,
      );
      Object.assign(each, { data, steps: timed(data.steps), error: null, warnings });
    } catch (failure) {
      each.error = signal.aborted ? null : this.app.failed(failure);
    }
    if (!signal.aborted) {
      this.#draw();
      this.onwarnings(this.#series.flatMap((one) => one.warnings));
    }
  }

  /**
   * Live: one more step of a series, in place of an older answer about the same step.
   *
   * @param {string} selector
   * @param {any} step
   */
  append(selector, step) {
    const each = this.#series.find((one) => one.selector === selector);
    if (each?.data) {
      const at = Date.parse(step.start);
      each.steps = [
        ...each.steps.filter((old) => old.at !== at && old.at >= this.#range.start - this.#step),
        { ...step, at },
      ].sort((a, b) => a.at - b.at);
    }
  }

  /** Live: the axis goes on, with the steps there are. */
  slide(range) {
    this.#range = range;
    this.#draw();
  }

  /** @param {string} selector @returns {Map<number, any>} steps by start, which know how long their intervals are */
  stepsOf(selector) {
    return new Map(
      (this.#series.find((each) => each.selector === selector)?.steps ?? []).map((step) => [step.at, step]),
    );
  }

  stop() {
    this.#latest.cancel();
    this.#asked = '';
    this.#shown = '';
  }

  #makeLines() {
    const loaded = this.#series.filter((each) => each.data !== null);
    const [first] = loaded;
    if (first === undefined) {
      return [];
    }
    if (this.#series.length === 1) {
      const all = stretches(first.steps, this.#step);
      return this.#percentiles.map((percentile, i) => ({
        label: percentileName(percentile),
        rank: Number(percentile),
        unit: first.data.unit,
        colour: shadeName(i, Number(percentile) === 100),
        dash: shadeDash(i, Number(percentile) === 100),
        stretches: all,
        series: first.data.series.length,
        value: (step) => step.values[i],
      }));
    }
    return loaded
      .filter((each) => each.data.unit === first.data.unit)
      .map((each) => ({
        label: letter(each.index),
        unit: each.data.unit,
        colour: lineName(each.index),
        dash: lineDash(each.index),
        stretches: stretches(each.steps, this.#step),
        series: each.data.series.length,
        value: (step) => step.values[0],
      }));
  }

  #drawNow() {
    const failed = this.#series.filter((each) => each.error !== null);
    fill(
      this.message,
      failed.slice(0, 2).map((each) => errorMessage(each.selector, each.error.text, each.error.advice)),
    );
    const lines = this.#makeLines();
    this.#lines = lines;
    const empty = lines.length > 0 && lines.every((line) => line.stretches.length === 0);
    if (empty) {
      fill(
        this.message,
        h('p', { class: 'nothing' }, `Nothing was recorded from ${rangeText(this.#range.start, this.#range.end)}.`),
      );
    }
    this.host.hidden = empty || (failed.length > 0 && failed.length === this.#series.length);
    this.readout.hidden = this.host.hidden;
    say(this.title, isTime(lines[0]?.unit ?? 'ns') ? 'Latency over time' : 'Values over time');
    const unit = lines[0]?.unit ?? 'ns';
    this.chart.show(
      lines,
      this.#range,
      { y: this.#state.y, unit, wanted: this.#state.unit },
      this.#exemplars.filter((each) => each.unit === unit),
    );
    this.#drawRates(lines);
    this.numbers.refresh(); // with the lines, which are made here, after the answer they are made of
    this.#read(null);
  }

  /** Of one series there is one line, whatever its percentiles are. */
  #drawRates(lines) {
    const single = this.#series.length === 1;
    this.#rates = (single ? lines.slice(0, 1) : lines).map((line) => ({
      label: single ? 'rate' : line.label,
      colour: single ? 'shade-2' : line.colour,
      dash: single ? [] : line.dash,
      rates: rated(line.stretches, this.#step, this.#range, line.series),
    }));
    this.throughput.hidden = this.host.hidden;
    this.throughputTitle.hidden = this.host.hidden;
    this.rateChart.show(this.#rates, this.#range, this.#state.unit);
  }

  #drawTools() {
    const { state } = this.app;
    const several = state.series.length > 1;
    const kind = `${several}${state.metric}${state.percentiles}`;
    if (this.tools.dataset.kind === kind) {
      return;
    }
    this.tools.dataset.kind = kind;
    if (several) {
      const all = METRICS.includes(state.metric) ? METRICS : [state.metric, ...METRICS];
      fill(
        this.tools,
        h(
          'label',
          {},
          'Lines show ',
          h(
            'select',
            { 'data-testid': 'metric-select', onchange: (event) => this.app.change({ metric: event.target.value }) },
            all.map((p) => h('option', { value: p, selected: p === state.metric }, percentileName(p))),
          ),
        ),
      );
      return;
    }
    const field = h('input', {
      size: '19',
      spellcheck: 'false',
      'data-testid': 'percentiles',
      value: this.#percentiles.join(', '),
      title: 'Percentiles, separated by commas; 100 is the maximum',
    });
    field.addEventListener('change', () => {
      const wanted = field.value
        .split(',')
        .map((p) => p.trim().replace(/^max$/, '100'))
        .filter((p) => p !== '');
      const good = wanted.every((p) => /^\d{1,3}(\.\d{1,12})?$/.test(p) && Number(p) <= 100);
      field.setAttribute('aria-invalid', String(!good));
      if (good) {
        this.app.change({ percentiles: wanted.join() === DEFAULT_PERCENTILES.join() ? [] : wanted });
      }
    });
    fill(this.tools, h('label', {}, 'Percentiles ', field));
  }

  #read(at) {
    const lines = this.#lines;
    const around = (line) => line.stretches.find((each) => each.start <= at && at < each.end);
    const hit = at === null ? undefined : lines.map(around).find((each) => each !== undefined);
    if (hit === undefined) {
      fill(
        this.readout,
        h(
          'span',
          { class: 'note' },
          at === null
            ? `Steps of ${spanText(this.#step)}. Drag to see the distribution of a stretch of time.`
            : `${clockText(at)}: nothing was recorded.`,
        ),
      );
      return;
    }
    fill(
      this.readout,
      h('strong', {}, `${clockText(hit.step.at)}, ${spanText(this.#step)}`),
      lines.slice(0, 8).map((line) => {
        const found = around(line);
        return h(
          'span',
          {},
          h('span', { class: `ink-${line.colour}` }, line.label),
          ` ${found === undefined ? '–' : formatValue(line.value(found.step), line.unit, this.#state.unit)}`,
        );
      }),
      this.#series.length === 1
        ? h(
            'span',
            { class: 'note' },
            `${formatCount(hit.step.count)} values, ${formatRate(this.#rates[0]?.rates.find((each) => each.start <= at && at < each.end)?.rate)}`,
          )
        : null,
    );
  }

  /** What a picture of the chart says besides the chart. */
  picture() {
    const { series } = this.#state;
    const what =
      series.length === 1 ? this.#percentiles.map(percentileName).join(', ') : percentileName(this.#state.metric);
    return {
      plot: this.chart.chart.plot,
      title: `${this.title.textContent}: ${what}, steps of ${spanText(this.#step)}`,
      texts: [
        { text: rangeText(this.#range.start, this.#range.end), colour: 'ink-soft' },
        ...series.map((selector, i) => ({
          text: series.length === 1 ? selector : `${letter(i)}  ${selector}`,
          colour: series.length === 1 ? 'ink' : lineName(i),
        })),
      ],
      name: 'latency-over-time',
    };
  }
}
