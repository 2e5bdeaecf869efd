// The small picture of a series in the list: its greatest value step by step, from 0 up. Steps in which nothing
// was recorded are gaps.

import { svg } from './dom.js';
import { exactValue } from './units.js';

const WIDTH = 140;
const HEIGHT = 30;

/**
 * @param {{max: (number|bigint|null)[]}|null} spark as /api/v1/overview has it
 * @param {string} unit
 * @param {number} [points] of it that are drawn, the last ones
 */
export function sparkLine(spark, unit, points = Infinity) {
  const exact = (spark?.max ?? []).slice(-points);
  const highest = highestOf(exact);
  const values = exact.map((value) => (value === null ? null : Number(value)));
  const top = Number(highest);
  const image = svg(
    'svg',
    { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
    svg('title', {}, top === 0 ? 'nothing recorded' : `maximum over time, highest ${exactValue(highest, unit)}`),
  );
  if (top > 0) {
    image.append(svg('path', { d: path(values, top) }));
  }
  return image;
}

/**
 * How many of the last points have something in any row, so that a sidecar that has just begun does not show nothing.
 *
 * @param {{max: (number|bigint|null)[]}[]} sparks of one range
 * @param {number} least
 */
export function pointsWithValues(sparks, least) {
  return sparks.reduce((most, { max }) => {
    const first = max.findIndex((value) => value !== null);
    return first < 0 ? most : Math.max(most, max.length - first);
  }, least);
}

/** @param {(number|bigint|null)[]} values @returns {number|bigint} the greatest, with every digit; 0 for none */
export function highestOf(values) {
  return values.reduce(
    (/** @type {number|bigint} */ most, value) => (value !== null && value > most ? value : most),
    0,
  );
}

/** Stairs, as the steps are: each as wide as its time. */
function path(values, top) {
  const wide = WIDTH / values.length;
  let text = '';
  let open = false;
  values.forEach((value, i) => {
    if (value === null) {
      open = false;
      return;
    }
    const y = (HEIGHT - 1.5 - (value / top) * (HEIGHT - 3)).toFixed(1);
    text += `${open ? `V${y}` : `M${(i * wide).toFixed(1)} ${y}`}H${((i + 1) * wide).toFixed(1)}`;
    open = true;
  });
  return text;
}
