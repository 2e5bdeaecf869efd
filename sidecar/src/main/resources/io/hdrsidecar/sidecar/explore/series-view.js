// The view of one or several open series: range, charts over time, distribution, agreements.

import { serverNow } from './api.js';
import { DistributionPanel } from './distribution-panel.js';
import { h } from './dom.js';
import { itemsOf, rangeOf, selectionOf } from './model.js';

/** Puts the panels together and hands each what it shows. */
export class SeriesView {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.distribution = new DistributionPanel(app);
    this.element = h('div', { class: 'series-view' }, this.distribution.element);
  }

  /** @param {import('./state.js').State} state */
  update(state) {
    const now = serverNow();
    const range = rangeOf(state, now, null);
    if (typeof range === 'string') {
      return;
    }
    const shown = selectionOf(state, now) ?? range;
    this.distribution.update(state, itemsOf(state, shown, now));
  }

  /** Everything is to be asked again. */
  forget() {
    this.distribution.stop();
  }

  stop() {
    this.distribution.stop();
  }
}
