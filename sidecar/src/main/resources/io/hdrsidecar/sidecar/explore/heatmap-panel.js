// The panel of the heat map: one series, aligned with the chart above it.

import { Latest, ask } from './api.js';
import { fill, h } from './dom.js';
import { pictureButton } from './exports.js';
import { HeatmapChart } from './heatmap-chart.js';
import { errorMessage } from './messages.js';
import { spanOf } from './model.js';
import { letter } from './palette.js';
import { stretches, timed } from './steps.js';
import { heatTable, whenOpened } from './step-tables.js';
import { clockText, rangeText, spanText, stepText } from './times.js';
import { formatCount, formatValue } from './units.js';

const BUCKETS = 48;
/** @type {{edges: (number|bigint)[], stretches: import('./steps.js').Stretch[]}} */
const NOTHING = { edges: [], stretches: [] };

/** Shows how many values lie where, step by step. */
export class HeatmapPanel {
  #latest = new Latest();
  #asked = '';
  #shown = '';
  #state = /** @type {any} */ (null);
  #range = /** @type {any} */ (null);
  #step = 1000;
  #data = /** @type {any} */ (null);
  #map = NOTHING;
  #top = 0;

  /**
   * @param {import('./main.js').App} app
   * @param {import('./selection.js').TimeSelection} selection
   * @param {(selector: string) => Map<number, any>} stepsOf what is known of the steps besides
   * @param {(warnings: string[]) => void} onwarnings what the answer says is not as it was asked for
   */
  constructor(app, selection, stepsOf, onwarnings) {
    this.app = app;
    this.onwarnings = onwarnings;
    this.stepsOf = stepsOf;
    this.tools = h('div', { class: 'tools' });
    this.host = h('div', {
      class: 'chart',
      'data-testid': 'chart-heatmap',
      tabindex: '0',
      role: 'group',
      'aria-label':
        'Heat map: how many values lie where, over time. Arrow keys as in the chart above. The numbers are in the table below.',
      onkeydown: (event) => selection.key(event),
      onpointermove: (event) => {
        this.#top = event.clientY;
      },
    });
    this.readout = h('p', { class: 'readout', 'aria-hidden': 'true' });
    this.message = h('div', {});
    this.numbers = whenOpened('Numbers of the heat map', () => this.#data && heatTable(this.#data, this.#state.unit));
    this.element = h(
      'section',
      { class: 'panel heatmap', 'aria-label': 'Heat map' },
      h('header', {}, h('h2', {}, 'Heat map'), this.tools, pictureButton(this)),
      this.message,
      this.host,
      this.readout,
      this.numbers.element,
    );
    this.chart = new HeatmapChart(this.host, { cursor: (at) => this.#read(at), ready: (u) => selection.attach(u) });
  }

  /** @returns {string} the series that is shown */
  #selector() {
    const { series, focus } = this.#state;
    return series.includes(focus) ? focus : series[0];
  }

  /**
   * @param {import('./state.js').State} state
   * @param {import('./model.js').Range} range
   * @param {number} step milliseconds
   */
  async update(state, range, step) {
    this.#state = state;
    this.#drawTools();
    const selector = this.#selector();
    const asked = JSON.stringify([selector, range, step]);
    const shown = asked + state.y + state.unit + state.zone;
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    if (asked === this.#asked) {
      this.draw();
      return;
    }
    const other = this.#asked === '' || JSON.parse(this.#asked)[0] !== selector;
    this.#asked = asked;
    const signal = this.#latest.next();
    if (other || this.#step !== step) {
      this.element.setAttribute('aria-busy', 'true');
    }
    try {
      const { data, warnings } = await ask(
        'api/v1/heatmap',
        { series: selector, ...spanOf(range), step: stepText(step), buckets: BUCKETS },
        signal,
      );
      this.#range = range;
      this.#step = step;
      this.#data = data;
      this.onwarnings(warnings);
      fill(this.message);
      this.element.hidden = data.steps.length === 0; // the panel above says so
      this.host.hidden = false;
      this.draw();
    } catch (failure) {
      const told = signal.aborted ? null : this.app.failed(failure);
      if (told !== null) {
        this.element.hidden = told.status === 404; // as above
        this.host.hidden = true;
        fill(this.message, errorMessage(told.title, told.text, told.advice));
      }
    }
    if (!signal.aborted) {
      this.element.removeAttribute('aria-busy');
      this.numbers.refresh();
    }
  }

  /** Live: the axis goes on, with the columns there are. */
  slide(range) {
    this.#range = range;
    this.draw();
  }

  stop() {
    this.#latest.cancel();
    this.#asked = '';
    this.#shown = '';
  }

  /** Draws what there is. */
  draw() {
    if (this.#data === null) {
      return;
    }
    const known = this.stepsOf(this.#selector());
    const steps = timed(this.#data.steps).map((step) => ({
      ...step,
      resolutionSeconds: known.get(step.at)?.resolutionSeconds ?? 0,
    }));
    this.#map = { edges: this.#data.edges, stretches: stretches(steps, this.#step) };
    this.chart.show(this.#map, this.#range, { y: this.#state.y, unit: this.#data.unit, wanted: this.#state.unit });
    this.#read(null);
  }

  #drawTools() {
    const { series } = this.#state;
    const kind = JSON.stringify([series, this.#selector()]);
    if (this.tools.dataset.kind !== kind) {
      this.tools.dataset.kind = kind;
      fill(
        this.tools,
        series.length < 2
          ? null
          : h(
              'label',
              {},
              'of ',
              h(
                'select',
                {
                  'data-testid': 'heatmap-select',
                  onchange: (event) => this.app.change({ focus: event.target.value }),
                },
                series.map((selector, i) =>
                  h('option', { value: selector, selected: selector === this.#selector() }, `${letter(i)} ${selector}`),
                ),
              ),
            ),
      );
    }
  }

  #read(at) {
    const hit = at === null ? undefined : this.#map.stretches.find((each) => each.start <= at && at < each.end);
    if (hit === undefined) {
      fill(
        this.readout,
        h('span', { class: 'note' }, 'Colour is the number of values in a cell, on a logarithmic scale.'),
      );
      return;
    }
    const { unit } = this.#data;
    const bucket = this.#bucketUnderPointer(hit.step);
    fill(
      this.readout,
      h('strong', {}, `${clockText(hit.step.at)}, ${spanText(this.#step)}`),
      bucket < 0
        ? null
        : h(
            'span',
            {},
            `${formatValue(this.#map.edges[bucket], unit, this.#state.unit)} to ${formatValue(this.#map.edges[bucket + 1], unit, this.#state.unit)}: ${formatCount(hit.step.counts[bucket])} values`,
          ),
      h('span', { class: 'note' }, `of ${formatCount(hit.step.count)} in this step`),
    );
  }

  #bucketUnderPointer(step) {
    const u = this.chart.chart.plot;
    if (u === null || !this.host.matches(':hover')) {
      return -1;
    }
    const place = u.posToVal(this.#top - u.over.getBoundingClientRect().top, 'y');
    const value = this.#state.y === 'log' ? 10 ** place : place;
    const above = this.#map.edges.findIndex((edge) => Number(edge) > value);
    return above <= 0 || above > step.counts.length ? -1 : above - 1;
  }

  /** What a picture of the chart says besides the chart. */
  picture() {
    return {
      plot: this.chart.chart.plot,
      title: `Heat map, steps of ${spanText(this.#step)}`,
      texts: [
        { text: this.#selector(), colour: 'ink' },
        { text: rangeText(this.#range.start, this.#range.end), colour: 'ink-soft' },
      ],
      name: 'heatmap',
    };
  }
}
