// The axis of values: logarithmic or linear, with ticks that are round in the unit that is shown.
//
// Charts place values by toAxis and know nothing else of the scale; the exact values stay beside.

import { factor, formatValue, isTime } from './units.js';

/** Zero has no place on a logarithmic axis. It is left out of its range, and drawn at its lower edge. */
const LEAST = 1;

/**
 * @typedef {{y: 'log'|'lin', min: number, max: number}} ValueAxis min and max are places, not values
 */

/**
 * @param {number|bigint} value
 * @param {'log'|'lin'} y
 * @returns {number} its place on the axis
 */
export function toAxis(value, y) {
  const number = Number(value);
  return y === 'log' ? Math.log10(Math.max(number, LEAST)) : number;
}

/** @param {number} place @param {'log'|'lin'} y @returns {number} the value there */
export function fromAxis(place, y) {
  return y === 'log' ? 10 ** place : place;
}

/**
 * An axis on which all these values are to be seen.
 *
 * @param {Iterable<number|bigint>} values
 * @param {'log'|'lin'} y
 * @returns {ValueAxis}
 */
export function axisFor(values, y) {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    const number = Number(value);
    least = y === 'log' && number < LEAST ? least : Math.min(least, number);
    most = Math.max(most, number);
  }
  if (most === -Infinity) {
    return y === 'log' ? { y, min: 3, max: 9 } : { y, min: 0, max: 1 };
  }
  if (y === 'lin') {
    return { y, min: 0, max: most === 0 ? 1 : most * 1.06 };
  }
  const low = toAxis(Math.min(least, most), 'log');
  const high = toAxis(most, 'log');
  const room = Math.max(0.05, (high - low) * 0.04);
  // A single value, too, needs neighbours to be read against.
  return high - low < 0.3 ? { y, min: low - 0.3, max: high + 0.3 } : { y, min: low - room, max: high + room };
}

/**
 * @param {ValueAxis} axis
 * @param {number} height pixels
 * @param {string} unit of the series
 * @param {string} wanted unit to show
 * @returns {{at: number, text: string}[]} places and labels
 */
export function valueTicks(axis, height, unit, wanted) {
  const values =
    axis.y === 'log'
      ? unit === 'bytes'
        ? binaryValues(axis, height)
        : logValues(axis, height)
      : linearValues(axis, height, unit, wanted);
  return values
    .map((value) => ({ at: toAxis(value, axis.y), text: formatValue(value, unit, wanted) }))
    .filter(({ at }) => at >= axis.min - 1e-9 && at <= axis.max + 1e-9);
}

function logValues(axis, height) {
  const decades = axis.max - axis.min;
  const room = height / Math.max(decades, 0.1);
  if (decades < 0.7) {
    // Too little of a decade for 1, 2, 5: as on a linear axis.
    const low = 10 ** axis.min;
    const high = 10 ** axis.max;
    const step = round((high - low) / Math.max(2, height / 45));
    return upwards(Math.ceil(low / step) * step, high, step);
  }
  const within = room > 150 ? [1, 2, 3, 5, 7] : room > 75 ? [1, 2, 5] : room > 45 ? [1, 3] : [1];
  const every = Math.max(1, Math.ceil(20 / room));
  const values = [];
  for (let power = Math.floor(axis.min); power <= axis.max; power++) {
    if (power % every === 0) {
      within.forEach((digit) => values.push(digit * 10 ** power));
    }
  }
  return values;
}

/** Powers of two, for sizes. */
function binaryValues(axis, height) {
  const doublings = (axis.max - axis.min) / Math.log10(2);
  const every = [1, 2, 5, 10].find((each) => (height / doublings) * each >= 22) ?? 20;
  const values = [];
  for (let power = Math.ceil(axis.min / Math.log10(2) / every) * every; 2 ** power <= 10 ** axis.max; power += every) {
    values.push(2 ** power);
  }
  return values;
}

function linearValues(axis, height, unit, wanted) {
  // Steps are round in what is shown: 512 KiB, 0.5 ms; a series in ns shown in s has its steps in s.
  const scale = isTime(unit) ? factor(unit, wanted) : 1;
  const count = Math.max(2, height / 45);
  const step =
    unit === 'bytes' ? 2 ** Math.ceil(Math.log2(axis.max / count)) : round((axis.max * scale) / count) / scale;
  return upwards(0, axis.max, step);
}

function upwards(first, last, step) {
  const values = [];
  for (let i = 0; i < 100 && first + i * step <= last * (1 + 1e-12); i++) {
    values.push(first + i * step);
  }
  return values;
}

/** The next of 1, 2, 5 times a power of ten. */
function round(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  const digit = step / power;
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}
