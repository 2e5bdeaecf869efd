// Of which time the list is: of now, which is the series that live and their last minutes, or of a range of the
// past, which also has the series that have ended since.

import { h } from './dom.js';
import { rangeOf } from './model.js';
import { isoTime, rangeText } from './times.js';

const CHOICES = [
  ['', 'now'],
  ['-1h', 'last hour'],
  ['-24h', 'last 24 hours'],
  ['0', 'all that is kept'],
];
/** The range that start and end of the URL say. */
export const OF_URL = 'range';

/**
 * @param {import('./state.js').State} state
 * @returns {{start: string, end: string}|null} as a state has it; null for now
 */
export function spanOfList(state) {
  if (state.past === '') {
    return null;
  }
  return state.past === OF_URL ? { start: state.start, end: state.end } : { start: state.past, end: '' };
}

/**
 * @param {import('./state.js').State} state
 * @param {number} now milliseconds since 1970, by the sidecar's clock
 * @param {import('./extent.js').Extent|null} extent of all there is
 * @returns {import('./model.js').Range|string|null} null for now; or what is wrong with it
 */
export function rangeOfList(state, now, extent) {
  const span = spanOfList(state);
  return span === null ? null : rangeOf({ ...state, ...span }, now, extent);
}

/**
 * What of the state changes when series are opened from the list: the range that they were seen in is shown, and of
 * one that has ended the time that it has something.
 *
 * @param {import('./state.js').State} state
 * @param {any} [row] of the list, if it is one
 * @returns {Partial<import('./state.js').State>}
 */
export function openedWith(state, row) {
  const span = spanOfList(state);
  if (span === null) {
    return {};
  }
  if (row?.ended && row.covered?.start) {
    const end = Math.ceil((Date.parse(row.covered.end) + 1) / 1000) * 1000;
    return { start: isoTime(Math.floor(Date.parse(row.covered.start) / 1000) * 1000), end: isoTime(end), live: false };
  }
  return { ...span, live: false };
}

/** The control beside the search. */
export class ListTime {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.select = h('select', {
      'data-testid': 'list-time',
      'aria-label': 'Series of which time',
      title: 'Series that live now, or all there were in a range of time',
      onchange: () => app.change({ past: this.select.value }),
    });
    this.element = h('label', { class: 'list-time' }, 'Series of ', this.select);
  }

  /** @param {import('./state.js').State} state @param {import('./model.js').Range|null} range that the list is of, if it is of the URL's */
  update(state, range) {
    const own = state.past === OF_URL || state.start !== '' || state.end !== '';
    const choices = [
      ...CHOICES,
      ...(own
        ? [
            [
              OF_URL,
              state.past === OF_URL && range !== null ? rangeText(range.start, range.end) : 'the range last shown',
            ],
          ]
        : []),
    ];
    const kind = JSON.stringify(choices);
    if (this.select.dataset.kind !== kind) {
      this.select.dataset.kind = kind;
      this.select.replaceChildren(...choices.map(([value, text]) => h('option', { value }, text)));
    }
    this.select.value = state.past;
  }
}
