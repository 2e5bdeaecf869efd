// The selected range of time: its ends to be typed, and what can be done with it.

import { h, say } from './dom.js';
import { spanOf } from './model.js';
import { clockText, dateText, spanText } from './times.js';

/** The row between the tools and the charts. */
export class SelectionBar {
  /** @param {import('./main.js').App} app @param {{onpin: (offset: string) => void}} actions */
  constructor(app, { onpin }) {
    this.app = app;
    const field = (label, testid) =>
      h('input', {
        'aria-label': label,
        'data-testid': testid,
        size: '19',
        spellcheck: 'false',
        autocomplete: 'off',
        onchange: () => this.#typed(),
      });
    this.start = field('Start of the selected range', 'range-start');
    this.end = field('End of the selected range', 'range-end');
    this.length = h('span', { class: 'note' });
    this.zoom = h('button', { 'data-testid': 'zoom', onclick: () => this.zoomIn() }, 'Zoom in');
    this.clear = h('button', { 'data-testid': 'clear-selection', onclick: () => app.change({ sel: null }) }, 'Clear');
    this.pin = h(
      'button',
      {
        class: 'primary',
        'data-testid': 'pin',
        title: 'Keep this distribution to compare others with it',
        onclick: () => onpin(''),
      },
      'Pin',
    );
    this.compare = h(
      'select',
      {
        'data-testid': 'pin-other',
        'aria-label': 'Compare with another time',
        onchange: () => {
          onpin(this.compare.value);
          this.compare.value = '';
        },
      },
      h('option', { value: '' }, 'Compare with …'),
      h('option', { value: 'before' }, 'just before'),
      h('option', { value: '1h' }, '1 hour earlier'),
      h('option', { value: '1d' }, '1 day earlier'),
      h('option', { value: '7d' }, '1 week earlier'),
    );
    this.what = h('strong', {});
    this.element = h(
      'div',
      { class: 'selection-bar', role: 'group', 'aria-label': 'Selected range' },
      this.what,
      h('span', { class: 'span' }, this.start, h('span', { 'aria-hidden': 'true' }, '–'), this.end),
      this.length,
      this.zoom,
      this.clear,
      this.pin,
      this.compare,
    );
  }

  /** @param {import('./model.js').Range|null} selected @param {import('./model.js').Range} range of the view */
  update(selected, range) {
    const shownRange = selected ?? range;
    this.range = shownRange;
    say(this.what, selected === null ? 'Distribution of all that is shown' : 'Distribution of the selection');
    for (const [field, time] of [
      [this.start, shownRange.start],
      [this.end, shownRange.end],
    ]) {
      if (document.activeElement !== field) {
        field.value = `${dateText(time)} ${clockText(time)}`;
        field.removeAttribute('aria-invalid');
      }
    }
    say(this.length, spanText(shownRange.end - shownRange.start));
    this.zoom.disabled = selected === null;
    this.clear.disabled = selected === null;
  }

  zoomIn() {
    const { sel } = this.app.state;
    if (sel !== null) {
      this.app.change({ start: sel.start, end: sel.end, sel: null, live: false });
    }
  }

  #typed() {
    const start = this.app.time(this.start.value);
    const end = this.app.time(this.end.value);
    this.start.setAttribute('aria-invalid', String(start === null));
    this.end.setAttribute('aria-invalid', String(end === null || (start !== null && start >= end)));
    if (start !== null && end !== null && start < end) {
      this.app.change({ sel: spanOf({ start, end }) });
    }
  }
}
