// What is on the screen, as a URL: one object from the query string and back, and nothing about the view
// that is not in it. So a URL can be sent, and back and forward work.

import { TIME_UNITS } from './units.js';

/**
 * @typedef {{start: string, end: string}} Span times as the API takes them
 * @typedef {{selector: string, start: string, end: string}} Pin a selector in a range that stays; both times absolute
 * @typedef {object} State
 * @property {'list'|'series'} view
 * @property {string} q what is searched for in the list
 * @property {string} past of which time the list is: empty for now, range for start and end, or a start: -24h, 0
 * @property {string} sort column of the list, with a minus for descending
 * @property {string[]} series selectors that are open
 * @property {string} start empty for the default
 * @property {string} end empty for now
 * @property {Span|null} sel range dragged within the range
 * @property {Pin[]} pins
 * @property {string[]} percentiles of the time chart; empty for the default
 * @property {string} unit
 * @property {'log'|'lin'} y
 * @property {boolean} live
 * @property {string} focus selector whose heat map is shown; empty for the first
 * @property {string} metric percentile that the time chart shows while several series are open
 * @property {number} base which line of the comparison the others are held against
 * @property {string} theme light, dark, or empty for the system's
 * @property {string} zone local or utc for the times of the page, or empty for what was chosen last
 */

/** Percentiles of the time chart unless the URL says otherwise; 100 is the maximum. */
export const DEFAULT_PERCENTILES = ['50', '90', '99', '99.9', '100'];

/** @returns {State} */
export function emptyState() {
  return {
    view: 'list',
    q: '',
    past: '',
    sort: 'name',
    series: [],
    start: '',
    end: '',
    sel: null,
    pins: [],
    percentiles: [],
    unit: 'auto',
    y: 'log',
    live: false,
    focus: '',
    metric: '99',
    base: 0,
    theme: '',
    zone: '',
  };
}

/**
 * Reads a query string. What is not understood is left at its default: an old or mistyped link opens.
 *
 * @param {string} search with or without the question mark
 * @returns {State}
 */
export function parseState(search) {
  const params = new URLSearchParams(search);
  const state = emptyState();
  state.q = params.get('q') ?? '';
  state.past = /^(range|0|-\d{1,6}(ms|s|m|h|d))$/.test(params.get('past') ?? '')
    ? /** @type {string} */ (params.get('past'))
    : '';
  state.sort = /^-?[a-z0-9]+$/.test(params.get('sort') ?? '') ? /** @type {string} */ (params.get('sort')) : 'name';
  state.series = [...new Set(params.getAll('s').filter((s) => s !== ''))];
  state.view = state.series.length === 0 || params.get('view') === 'list' ? 'list' : 'series';
  state.start = params.get('start') ?? '';
  state.end = params.get('end') ?? '';
  state.sel = parseSpan(params.get('sel') ?? '');
  state.pins = params
    .getAll('pin')
    .map(parsePin)
    .filter((pin) => pin !== null);
  state.percentiles = (params.get('p') ?? '')
    .split(',')
    .map((p) => p.trim())
    .filter(isPercentile);
  state.unit = oneOf(params.get('unit'), TIME_UNITS, 'auto');
  state.y = oneOf(params.get('y'), ['log', 'lin'], 'log');
  state.live = params.get('live') === '1';
  state.focus = params.get('focus') ?? '';
  state.metric = isPercentile(params.get('metric') ?? '') ? /** @type {string} */ (params.get('metric')) : '99';
  state.base = /^\d{1,3}$/.test(params.get('base') ?? '') ? Number(params.get('base')) : 0;
  state.theme = oneOf(params.get('theme'), ['light', 'dark'], '');
  state.zone = oneOf(params.get('tz'), ['local', 'utc'], '');
  return state;
}

/**
 * @param {State} state
 * @returns {string} a query string with a question mark, or nothing for the plain list; the same state gives the same text
 */
export function formatState(state) {
  const params = new URLSearchParams();
  const put = (key, value, standard) => value !== standard && params.append(key, String(value));
  if (state.view === 'list' && state.series.length > 0) {
    params.append('view', 'list');
  }
  put('q', state.q, '');
  put('past', state.past, '');
  put('sort', state.sort, 'name');
  state.series.forEach((selector) => params.append('s', selector));
  put('start', state.start, '');
  put('end', state.end, '');
  if (state.sel !== null) {
    params.append('sel', `${state.sel.start}..${state.sel.end}`);
  }
  state.pins.forEach((pin) => params.append('pin', `${pin.selector}@${pin.start}..${pin.end}`));
  put('p', state.percentiles.join(','), '');
  put('unit', state.unit, 'auto');
  put('y', state.y, 'log');
  put('live', state.live ? '1' : '', '');
  put('focus', state.focus, '');
  put('metric', state.metric, '99');
  put('base', state.base, 0);
  put('theme', state.theme, '');
  put('tz', state.zone, '');
  const text = readable(params.toString());
  return text === '' ? '' : `?${text}`;
}

/** These are allowed in a query as they are, and a selector without them is hard to read. */
function readable(query) {
  const plain = { '%7B': '{', '%7D': '}', '%3A': ':', '%2C': ',', '%40': '@', '%2F': '/', '%7E': '~', '%21': '!' };
  return query.replace(/%(7B|7D|3A|2C|40|2F|7E|21)/g, (escaped) => plain[escaped]);
}

function parseSpan(text) {
  const dots = text.indexOf('..');
  return dots <= 0 || dots + 2 >= text.length ? null : { start: text.slice(0, dots), end: text.slice(dots + 2) };
}

function parsePin(text) {
  // A label's value may have @ and dots in it; a time has neither, so the last of each is meant.
  const at = text.lastIndexOf('@');
  const span = at <= 0 ? null : parseSpan(text.slice(at + 1));
  return span === null ? null : { selector: text.slice(0, at), ...span };
}

function isPercentile(text) {
  return /^\d{1,3}(\.\d{1,12})?$/.test(text) && Number(text) <= 100;
}

function oneOf(text, choices, standard) {
  return choices.includes(text) ? text : standard;
}
