// The view of one or several open series: finds the range, and hands each panel what it shows.

import { ApiError, Latest, serverNow } from './api.js';
import { leftRoom } from './chart.js';
import { chips } from './chips.js';
import { DistributionPanel } from './distribution-panel.js';
import { h, refill } from './dom.js';
import { ExemplarsPanel } from './exemplars-panel.js';
import { extentOfSeries, factsOf, findExtent, learnClock } from './extent.js';
import { HeatmapPanel } from './heatmap-panel.js';
import { LiveFeed, MOST_STREAMS } from './live.js';
import { itemsOf, moves, rangeOf, selectionOf, spanOf } from './model.js';
import { SelectionBar } from './selection-bar.js';
import { SlaPanel } from './sla-panel.js';
import { RIGHT } from './time-chart.js';
import { TimePanel } from './time-panel.js';
import { TimeSelection } from './selection.js';
import { stepFor, stepText } from './times.js';
import { Toolbar } from './toolbar.js';
import { ViewWarnings } from './warnings.js';

const ALL_AGAIN_MILLIS = 5000;
const EARLIER = { '1h': 3600e3, '1d': 86400e3, '7d': 7 * 86400e3 };
const MOST_PINNED_AT_ONCE = 4;

/** All of the view. */
export class SeriesView {
  #latest = new Latest();
  /** @type {import('./extent.js').Extent|null} */
  #extent = null;
  #extentKnown = false;
  /** @type {import('./extent.js').Facts} */
  #facts = { kept: null, exemplars: [] };
  #factsOf = '';
  /** @type {import('./model.js').Range|null} */
  #range = null;
  #rangeOf = '';
  #ticking = 0;

  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.selection = new TimeSelection((range, done) =>
      app.change({ sel: range === null ? null : spanOf(range) }, done),
    );
    this.warnings = new ViewWarnings('distribution');
    this.time = new TimePanel(app, this.selection, (texts) => {
      this.warnings.of('time', texts);
      this.heatmap.draw(); // it knows now how long intervals are
    });
    this.heatmap = new HeatmapPanel(
      app,
      this.selection,
      (selector) => this.time.stepsOf(selector),
      (texts) => this.warnings.of('heatmap', texts),
    );
    this.sla = new SlaPanel(app, (limits) => this.distribution.setLimits(limits));
    this.distribution = new DistributionPanel(
      app,
      (names) => this.sla.concern(names),
      (texts) => this.warnings.of('distribution', texts),
    );
    this.exemplars = new ExemplarsPanel(app);
    this.toolbar = new Toolbar(app, () => this.again());
    this.bar = new SelectionBar(app, { onpin: (when) => this.#pin(when) });
    this.live = new LiveFeed(
      (selector, step) => this.#onstep(selector, step),
      (failure) => this.#notLive(failure),
    );
    this.chips = h('div', {});
    this.note = h('p', { class: 'note', hidden: true });
    this.element = h(
      'div',
      { class: 'series-view' },
      h('h1', { class: 'unseen' }, 'Open series'),
      h('div', { class: 'above' }, this.chips, this.toolbar.display),
      this.toolbar.element,
      this.note,
      this.warnings.element,
      h(
        'div',
        { class: 'columns' },
        h(
          'div',
          { class: 'column' },
          this.time.element,
          this.heatmap.element,
          this.exemplars.element,
          this.sla.element,
        ),
        h('div', { class: 'column' }, this.bar.element, this.distribution.element),
      ),
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target.classList.contains('chart')) {
        this.bar.zoomIn();
      }
    });
  }

  /** @param {import('./state.js').State} state */
  async update(state) {
    const signal = this.#latest.next();
    if (!this.#extentKnown || (state.start === '0' && this.#extent === null)) {
      await this.#findExtent(state, signal);
      if (signal.aborted) {
        return;
      }
    }
    if (this.#factsOf !== JSON.stringify(state.series)) {
      await this.#learnFacts(state, signal);
      if (signal.aborted) {
        return;
      }
    }
    this.#show(state);
  }

  async #learnFacts(state, signal) {
    try {
      this.#facts = await factsOf(state.series, signal);
      this.#factsOf = JSON.stringify(state.series);
    } catch (failure) {
      if (!signal.aborted) {
        this.app.failed(failure);
      }
    }
  }

  /** Asks everything anew, up to now. */
  again() {
    this.#rangeOf = '';
    this.#extentKnown = false;
    this.#factsOf = '';
    this.update(this.app.state);
  }

  /** After the sidecar was away: what panels have asked, they ask again. */
  forget() {
    this.stop();
    this.#rangeOf = '';
    this.#extentKnown = false;
    this.#factsOf = '';
  }

  stop() {
    this.#latest.cancel();
    this.live.want(null);
    clearInterval(this.#ticking);
    [this.time, this.heatmap, this.sla, this.distribution].forEach((panel) => panel.stop());
  }

  /** What there is to ask for: of files their extent, of a sidecar all it keeps. */
  async #findExtent(state, signal) {
    try {
      [this.#extent] = await Promise.all([findExtent(signal), learnClock(signal)]);
      if (this.#extent === null && state.start === '0') {
        this.#extent = await extentOfSeries(state.series[0], signal);
      }
      this.#extentKnown = true;
    } catch (failure) {
      if (!signal.aborted) {
        this.app.failed(failure);
      }
    }
  }

  #show(state) {
    const now = serverNow();
    const hasLive = this.#extent?.live ?? true;
    const rangeOfNow = JSON.stringify([
      state.start,
      state.end,
      state.start === '' && state.live,
      this.#extent,
      this.#facts.kept,
    ]);
    let problem = '';
    if (rangeOfNow !== this.#rangeOf || this.#range === null) {
      const range = rangeOf(state, now, this.#extent, this.#facts.kept);
      if (typeof range === 'string') {
        problem = range;
      } else {
        this.#range = range;
        this.#rangeOf = rangeOfNow;
      }
    }
    this.toolbar.update(state, this.#range, problem, hasLive);
    if (this.#range === null || problem !== '') {
      return;
    }
    const range = this.#range;
    const selected = selectionOf(state, now);
    const items = itemsOf(state, selected ?? range, now);
    const step = stepFor(range.end - range.start, this.time.chart.chart.plotWidth(leftRoom(state.unit), RIGHT));
    refill(this.chips, chips(items, this.app));
    this.bar.update(selected, range);
    this.selection.show(selected, range, step);
    this.time.update(state, range, step, this.#facts.exemplars);
    this.exemplars.update(state, this.#facts.exemplars, range);
    this.heatmap.update(state, range, step);
    this.distribution.update(state, items);
    this.sla.update(state, selected ?? range);
    this.#follow(state, step, hasLive);
  }

  #follow(state, step, hasLive) {
    const on = state.live && hasLive && moves(state);
    this.note.hidden = !on || state.series.length <= MOST_STREAMS;
    this.note.textContent = `The first ${MOST_STREAMS} series go on step by step, the others every ${ALL_AGAIN_MILLIS / 1000} s.`;
    clearInterval(this.#ticking);
    this.#ticking = on ? window.setInterval(() => !document.hidden && this.#onward(), ALL_AGAIN_MILLIS) : 0;
    this.live.want(
      on ? { selectors: state.series, step: stepText(step), percentiles: this.time.percentiles.join(',') } : null,
    );
  }

  /** Live: all panels up to now, where steps are longer than one wants to wait. */
  async #onward() {
    const signal = this.#latest.next();
    await this.#learnFacts(this.app.state, signal);
    if (!signal.aborted) {
      this.#rangeOf = '';
      this.#show(this.app.state);
    }
  }

  #onstep(selector, step) {
    const range = this.#range;
    if (range === null) {
      return;
    }
    this.time.append(selector, step);
    const end = Math.max(range.end, Date.parse(step.end ?? step.start));
    this.#range = { start: range.start + end - range.end, end };
    this.time.slide(this.#range);
    this.heatmap.slide(this.#range);
    this.selection.show(selectionOf(this.app.state, serverNow()), this.#range, this.time.step);
  }

  #notLive(failure) {
    if (!(failure instanceof ApiError)) {
      this.app.change({ live: false }, false);
      this.note.hidden = false;
      this.note.textContent = 'Not live: this page made a mistake; the console of the browser says which.';
    }
    const told = this.app.failed(failure);
    if (told !== null) {
      this.app.change({ live: false }, false);
      this.note.hidden = false;
      this.note.textContent = `Not live: ${told.text}`;
    }
  }

  /** @param {string} when empty for what is shown, before for just before it, or how much earlier */
  #pin(when) {
    const { state } = this.app;
    const shown = selectionOf(state, serverNow()) ?? this.#range;
    if (shown === null) {
      return;
    }
    const by = when === '' ? 0 : when === 'before' ? shown.end - shown.start : EARLIER[when];
    const span = spanOf({ start: shown.start - by, end: shown.end - by });
    this.app.pin(state.series.slice(0, MOST_PINNED_AT_ONCE).map((selector) => ({ selector, ...span })));
  }
}
