// Numbers for people: values in the unit of their series, counts, rates and ratios.
//
// The exact number always stays reachable: as data-value in the page, and in full in the title of a cell.

/** Nanoseconds in one of each unit of time; the series' own unit and the one to show are both looked up here. */
const NANOS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
const SYMBOL = { ns: 'ns', us: 'µs', ms: 'ms', s: 's' };
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const THOUSANDS = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** What the unit chooser offers; it is for times only. */
export const TIME_UNITS = ['auto', 'ns', 'us', 'ms', 's'];

/** @param {string} unit @returns {boolean} whether values of a series with this unit are times */
export function isTime(unit) {
  return unit in NANOS;
}

/**
 * @param {string} unit unit of the series
 * @param {string} wanted unit to show, or auto
 * @returns {number} what one value of the series is in the unit to show: 1e-6 for ns shown as ms; 1 for auto
 */
export function factor(unit, wanted) {
  return isTime(unit) && wanted in NANOS ? NANOS[unit] / NANOS[wanted] : 1;
}

/**
 * @param {number|bigint|null|undefined} value in the unit of its series
 * @param {string} unit ns, us, ms, s, bytes or none
 * @param {string} [wanted] unit to show times in; auto chooses by size
 * @returns {string} three to four significant digits with a unit, or an en dash for nothing
 */
export function formatValue(value, unit, wanted = 'auto') {
  if (value === null || value === undefined) {
    return '–';
  }
  const number = Number(value);
  if (isTime(unit)) {
    const nanos = number * NANOS[unit];
    const shown = wanted in NANOS ? wanted : timeUnitOf(nanos);
    return `${digits(nanos / NANOS[shown])} ${SYMBOL[shown]}`;
  }
  return unit === 'bytes' ? stepped(number, 1024, BYTES, ' ') : stepped(number, 1000, THOUSANDS, '');
}

/**
 * @param {number|bigint|null|undefined} value
 * @param {string} unit
 * @returns {string} every digit, for titles and text alternatives: "1,234,567 ns"
 */
export function exactValue(value, unit) {
  if (value === null || value === undefined) {
    return 'nothing';
  }
  return group(value) + (unit === 'none' ? '' : ` ${SYMBOL[unit] ?? unit}`);
}

/** @param {number|bigint} count @returns {string} in full, with thin grouping: 1,234,567 */
export function formatCount(count) {
  return group(count);
}

/** @param {number|null|undefined} perSecond @returns {string} such as 2.15k/s */
export function formatRate(perSecond) {
  if (perSecond === null || perSecond === undefined) {
    return '–';
  }
  return `${stepped(perSecond, 1000, THOUSANDS, '')}/s`;
}

/** @param {number|bigint} count @returns {string} short, for legends: 1.2M */
export function shortCount(count) {
  return stepped(Number(count), 1000, THOUSANDS, '');
}

/** @param {number|null|undefined} ratio @returns {string} with two decimals or more, so that they stand below each other: ×3.70 */
export function formatRatio(ratio) {
  if (ratio === null || ratio === undefined) {
    return '–';
  }
  return `×${ratio > 0 && ratio < 0.1 ? digits(ratio) : ratio >= 100 ? group(Math.round(ratio)) : ratio.toFixed(2)}`;
}

/** @param {number|string} percentile 0 to 100 @returns {string} p99.9, or max for 100 */
export function percentileName(percentile) {
  return Number(percentile) === 100 ? 'max' : `p${percentile}`;
}

function timeUnitOf(nanos) {
  return nanos < 1e3 ? 'ns' : nanos < 1e6 ? 'us' : nanos < 1e9 ? 'ms' : 's';
}

function stepped(number, base, names, gap) {
  let step = 0;
  let shown = number;
  while (Math.abs(shown) >= base && step < names.length - 1) {
    shown /= base;
    step++;
  }
  return `${digits(shown)}${names[step] === '' ? '' : gap + names[step]}`;
}

/** Three significant digits, never an exponent, no trailing zeros after a point; all digits before it. */
function digits(number) {
  const size = Math.abs(number);
  if (size === 0) {
    return '0';
  }
  if (size >= 100) {
    return group(Math.round(number));
  }
  const decimals = Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(size))));
  const text = number.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function group(number) {
  const text = typeof number === 'bigint' || Number.isInteger(number) ? BigInt(number).toString() : String(number);
  return text.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
