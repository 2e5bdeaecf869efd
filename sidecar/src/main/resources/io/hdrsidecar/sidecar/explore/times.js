// Times as the API and the URL have them, steps, and times for people.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNIT = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Ranges one click away. "all" starts at 0, which the API takes as 1970: as far back as anything is kept. */
export const PRESETS = [
  ['5m', '-5m'],
  ['15m', '-15m'],
  ['1h', '-1h'],
  ['6h', '-6h'],
  ['24h', '-24h'],
  ['all', '0'],
];

/** What is shown while the URL names no range. */
export const DEFAULT_START = '-15m';

/** The same while it goes on by itself: steps of a longer range are longer, too, and less comes to be seen. */
export const LIVE_START = '-5m';

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map(
  (s) => s * SECOND,
);

const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const ZONED_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/i;

let utc = false;

/** @param {string} zone utc, or anything else for local time: in which all times are shown and typed from now on */
export function showTimesIn(zone) {
  utc = zone === 'utc';
}

/**
 * @param {string} text as a person writes it: as the API takes it, or without a zone in that of the page
 * @param {number} now milliseconds since 1970, by the sidecar's clock
 * @returns {number|null} milliseconds since 1970; null if it is none of those
 */
export function typedTime(text, now) {
  const trimmed = text.trim();
  return LOCAL_TIME.test(trimmed) ? parsedDate(utc ? `${trimmed}Z` : trimmed) : parseTime(trimmed, now);
}

/**
 * @param {string} text as the API takes it: RFC 3339, seconds since 1970, now, or -5m. Without a zone it would be another
 *   time for each reader of a link, and is none
 * @param {number} now milliseconds since 1970, by the sidecar's clock
 * @returns {number|null} milliseconds since 1970; null if it is none of those
 */
export function parseTime(text, now) {
  const trimmed = text.trim();
  if (trimmed === 'now') {
    return now;
  }
  const ago = /^-(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(trimmed);
  if (ago) {
    return now - Number(ago[1]) * UNIT[ago[2]];
  }
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    return Math.round(Number(trimmed) * SECOND);
  }
  return ZONED_TIME.test(trimmed) ? parsedDate(trimmed) : null;
}

function parsedDate(text) {
  const parsed = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(parsed) ? null : parsed;
}

/** @param {string} text @returns {boolean} whether it moves with the clock */
export function isRelative(text) {
  return text === 'now' || text.startsWith('-');
}

/** @param {number} millis @returns {string} RFC 3339 in UTC, without a fraction that is 0 */
export function isoTime(millis) {
  return new Date(millis).toISOString().replace('.000Z', 'Z');
}

/**
 * The shortest step of a friendly length that leaves each at least some pixels. Steps of one second are for short
 * ranges only: intervals last a second and a little, so now and then such a step has none (steps.js).
 *
 * @param {number} span milliseconds
 * @param {number} width pixels
 * @returns {number} milliseconds
 */
export function stepFor(span, width) {
  const most = Math.max(10, Math.floor(width / 3));
  const least = span <= 2 * MINUTE ? SECOND : 2 * SECOND;
  return STEPS.find((step) => step >= least && span / step <= most) ?? Math.ceil(span / most / DAY) * DAY;
}

/** @param {number} millis a step @returns {string} as the API takes it */
export function stepText(millis) {
  return `${millis / SECOND}s`;
}

/** @param {number} millis @returns {string} such as 2 m 5 s, two parts at most */
export function spanText(millis) {
  const parts = [];
  let rest = Math.round(millis);
  for (const [name, size] of /** @type {[string, number][]} */ ([
    ['d', DAY],
    ['h', HOUR],
    ['m', MINUTE],
    ['s', SECOND],
    ['ms', 1],
  ])) {
    const whole = Math.floor(rest / size);
    if (whole > 0) {
      parts.push(`${whole} ${name}`);
      rest -= whole * size;
    }
    if (parts.length === 2 || (parts.length > 0 && whole === 0)) {
      break;
    }
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

const two = (number) => String(number).padStart(2, '0');

/** @param {number} millis @returns {Date} whose UTC fields are those of the page's zone */
function inZone(millis) {
  return new Date(millis - offsetAt(millis));
}

/** @param {number} millis @returns {number} milliseconds that UTC is ahead of the page's zone then */
export function offsetAt(millis) {
  return utc ? 0 : new Date(millis).getTimezoneOffset() * MINUTE;
}

/** @param {number} millis @returns {string} time of day, with milliseconds if there are any */
export function clockText(millis) {
  const date = inZone(millis);
  const fraction = date.getUTCMilliseconds();
  return (
    `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}` +
    (fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`)
  );
}

/** @param {number} millis @returns {string} date: 2026-01-31 */
export function dateText(millis) {
  return inZone(millis).toISOString().slice(0, 10);
}

/**
 * @param {number} start milliseconds
 * @param {number} end milliseconds
 * @returns {string} both, with the dates only once if they are the same
 */
export function rangeText(start, end) {
  const from = `${dateText(start)} ${clockText(start)}`;
  return dateText(start) === dateText(end)
    ? `${from} to ${clockText(end)}`
    : `${from} to ${dateText(end)} ${clockText(end)}`;
}

/** @returns {string} the offset that all times in the page have: UTC+02:00 */
export function zoneText() {
  return utc ? 'UTC' : localZoneText();
}

/** @returns {string} the offset of local time */
export function localZoneText(date = new Date()) {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
