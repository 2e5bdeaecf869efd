// What a state means now: which range, and which lines the distribution and the comparison have.

import { DEFAULT_START, LIVE_START, clockText, isoTime, isRelative, parseTime } from './times.js';
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

/** Who sends at all has sent something within so long. */
const ARRIVAL = 5 * SECOND;
/** Of what is over, so much is shown at first. */
const MOST_AT_FIRST = 24 * 3600 * SECOND;

/**
 * The range that is asked for, in whole seconds, as intervals are: so that all parts ask about the same one.
 *
 * @param {import('./state.js').State} state
 * @param {number} moment milliseconds since 1970, by the sidecar's clock
 * @param {{start: number, end: number, live: boolean}|null} extent of all there is, if known
 * @param {Range|null} [kept] of what is open, if known: what moves ends with it, and without a wish begins with it
 * @returns {Range|string} or what is wrong
 */
export function rangeOf(state, moment, extent, kept = null) {
  const files = extent !== null && !extent.live;
  if (state.start === '' && state.end === '' && !files && kept !== null) {
    return firstRange(kept, moment, state.live ? LIVE_START : DEFAULT_START);
  }
  const now = lastMoment(moment, kept);
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

/** So that 15 minutes are 15 minutes, and the last values are in it; where values go on coming, up to the last. */
function lastMoment(moment, kept) {
  const goesOn = kept !== null && Math.abs(moment - kept.end) < ARRIVAL;
  // Rounded: where the middle of the last interval is, which is where it is shown.
  return goesOn ? Math.round(kept.end / SECOND) * SECOND : Math.ceil(moment / SECOND) * SECOND;
}

/** As long as usual, but not longer than there is something; of what was over before, all there is. */
function firstRange(kept, moment, usual) {
  const end = lastMoment(moment, kept);
  const start = /** @type {number} */ (parseTime(usual, end));
  const all = {
    start: Math.round(kept.start / SECOND) * SECOND,
    end: Math.max(Math.round(kept.end / SECOND), Math.round(kept.start / SECOND) + 1) * SECOND,
  };
  if (all.end <= start) {
    return { start: Math.max(all.start, all.end - MOST_AT_FIRST), end: all.end };
  }
  return { start: Math.min(Math.max(start, all.start), end - SECOND), end };
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
  const name = (selector, itemRange, pinned) =>
    all.length > 1 ? short[all.indexOf(selector)] : pinned ? clockText(itemRange.start) : 'shown';
  const item = (selector, itemRange, index, pinned) => ({
    index,
    letter: letter(index),
    selector,
    name: name(selector, itemRange, pinned),
    range: itemRange,
    pinned,
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
