// What a state means now: which range, and which lines the distribution and the comparison have.

import { DEFAULT_START, clockText, isoTime, isRelative, parseTime } from './times.js';
import { letter } from './palette.js';
import { shortNames } from './selector.js';

const SECOND = 1000;

/**
 * @typedef {{start: number, end: number}} Range milliseconds since 1970
 * @typedef {object} Item one line: a selector in a range
 * @property {number} index for colour and dash
 * @property {string} letter
 * @property {string} selector
 * @property {string} name short
 * @property {Range} range
 * @property {boolean} pinned
 */

/**
 * The range that is asked for, in whole seconds, as intervals are: so that all parts ask about the same one.
 *
 * @param {import('./state.js').State} state
 * @param {number} moment milliseconds since 1970, by the sidecar's clock
 * @param {{start: number, end: number, live: boolean}|null} extent of all there is, if known
 * @returns {Range|string} or what is wrong
 */
export function rangeOf(state, moment, extent) {
  const now = Math.ceil(moment / SECOND) * SECOND; // so that 15 minutes are 15 minutes, and the last values are in it
  const files = extent !== null && !extent.live;
  const startText = state.start || (files ? '0' : DEFAULT_START);
  const end = state.end === '' ? (files ? extent.end : now) : parseTime(state.end, now);
  let start = parseTime(startText, files && isRelative(startText) ? extent.end : now);
  if (start === null || end === null) {
    return `${start === null ? state.start : state.end}: not a time. Write -15m, now, or 2026-01-31T03:00:00Z, with its zone.`;
  }
  if (start === 0 && extent !== null) {
    start = extent.start;
  }
  const range = { start: Math.floor(start / SECOND) * SECOND, end: Math.ceil(end / SECOND) * SECOND };
  return range.start < range.end ? range : `The range ends (${isoTime(end)}) before it starts (${isoTime(start)}).`;
}

/** @param {import('./state.js').State} state @returns {boolean} whether the range moves with the clock */
export function moves(state) {
  return (state.end === '' || isRelative(state.end)) && (state.start === '' || isRelative(state.start));
}

/**
 * @param {import('./state.js').State} state
 * @param {number} now
 * @returns {Range|null} the dragged range
 */
export function selectionOf(state, now) {
  if (state.sel === null) {
    return null;
  }
  const start = parseTime(state.sel.start, now);
  const end = parseTime(state.sel.end, now);
  return start === null || end === null || start >= end ? null : { start, end };
}

/**
 * @param {import('./state.js').State} state
 * @param {Range} range of the open series: the selection, or all that is shown
 * @param {number} now
 * @returns {Item[]} the open series, then the pins
 */
export function itemsOf(state, range, now) {
  const all = [...new Set([...state.series, ...state.pins.map((pin) => pin.selector)])];
  const short = shortNames(all);
  // One series at several times: the time is what tells them apart.
  const name = (selector, itemRange, pinned) => (all.length > 1 ? short[all.indexOf(selector)] : pinned ? clockText(itemRange.start) : 'shown');
  const item = (selector, itemRange, index, pinned) => ({
    index, letter: letter(index), selector, name: name(selector, itemRange, pinned), range: itemRange, pinned,
  });
  const items = state.series.map((selector, i) => item(selector, range, i, false));
  for (const pin of state.pins) {
    const start = parseTime(pin.start, now);
    const end = parseTime(pin.end, now);
    if (start !== null && end !== null && start < end) {
      items.push(item(pin.selector, { start, end }, items.length, true));
    }
  }
  return items;
}

/** @param {Range} range @returns {{start: string, end: string}} as the API and the URL have it */
export function spanOf(range) {
  return { start: isoTime(range.start), end: isoTime(range.end) };
}
