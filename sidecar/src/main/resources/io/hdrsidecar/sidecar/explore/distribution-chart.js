// The percentile distribution: value by percentile, each line a staircase of real buckets; limits of service level
// agreements are stairs, too, and where a line is above one it is broken.

import { Chart, labelEnds, leftRoom } from './chart.js';
import { colour, lineColour, lineDash } from './palette.js';
import { labelled, placeOf } from './percentile-axis.js';
import { axisFor, toAxis, valueTicks } from './value-axis.js';

/**
 * @typedef {object} DistributionLine
 * @property {number} index for colour and dash
 * @property {string} letter
 * @property {string} label
 * @property {import('./percentile-axis.js').Staircase} stairs
 * @typedef {{name: string, rows: {percentile: number, limit: number|bigint}[]}} Limits in order of percentile
 */

/** Draws distributions. */
export class DistributionChart {
  #input = /** @type {any} */ (null);

  /** @param {HTMLElement} host @param {(place: number|null) => void} cursor */
  constructor(host, cursor) {
    this.chart = new Chart(host, {
      height: () => (innerWidth < 700 ? 300 : 400),
      cursor,
      resized: () => this.#input && this.#show(),
    });
    document.addEventListener('theme', () => this.#input && this.#show());
  }

  /**
   * @param {DistributionLine[]} lines
   * @param {Limits[]} limits
   * @param {{y: 'log'|'lin', unit: string, wanted: string}} scale
   */
  show(lines, limits, scale) {
    this.#input = { lines, limits, scale };
    this.#show();
  }

  #show() {
    const { lines, limits, scale } = this.#input;
    const narrow = innerWidth < 700;
    const right = lines.length === 1 && limits.length === 0 ? 18 : narrow ? 38 : 104;
    const filled = lines.filter((line) => line.stairs.values.length > 0);
    const end = Math.max(1, ...filled.map((line) => line.stairs.end));
    const axis = axisFor(shownValues(filled, limits), scale.y);
    this.chart.show({
      x: [0, end],
      y: [axis.min, axis.max],
      left: leftRoom(scale.wanted),
      right,
      xTicks: (width) => ticks(end, width),
      yTicks: (height) => valueTicks(axis, height, scale.unit, scale.wanted),
      lines: filled.map((line) => ({
        colour: lineColour(line.index),
        dash: lineDash(line.index),
        width: 2,
        path: (place, path) => trace(line.stairs, axis, place, path),
      })),
      under: (context, place) => limits.forEach((rule) => drawLimits(context, place, rule, scale.y, end)),
      over: (context, place, u) =>
        labelEnds(
          context,
          u,
          [
            ...(filled.length < 2
              ? []
              : filled.map((line) => ({
                  text: narrow ? line.letter : `${line.letter} ${line.label}`,
                  colour: lineColour(line.index),
                  y: place.y(toAxis(line.stairs.values.at(-1) ?? 0, scale.y)),
                }))),
            ...limits
              .filter((rule) => rule.rows.length > 0)
              .map((rule) => ({
                text: narrow ? 'SLA' : `SLA ${rule.name}`,
                colour: colour('sla'),
                y: place.y(toAxis(rule.rows[rule.rows.length - 1].limit, scale.y)),
              })),
          ],
          right,
        ),
    });
  }
}

/** What has to be within the axis: everything but the emptiest beginning. */
function* shownValues(lines, limits) {
  for (const { stairs } of lines) {
    yield stairs.values.find((value) => Number(value) > 0) ?? stairs.values[0];
    yield stairs.values[stairs.values.length - 1];
  }
  for (const rule of limits) {
    for (const row of rule.rows) {
      yield row.limit;
    }
  }
}

/** A stair that is smaller than a pixel both ways is drawn with the next one: there are thousands, and nobody sees them. */
function trace(stairs, axis, place, path) {
  const levelOf = (value) => place.y(Math.max(axis.min, toAxis(value, axis.y)));
  let right = place.x(0);
  let level = levelOf(stairs.values[0]);
  const last = stairs.values.length - 1;
  path.moveTo(right, level);
  stairs.values.forEach((value, i) => {
    const at = levelOf(value);
    const end = place.x(stairs.ends[i]);
    if (i === last || end - right >= 1 || level - at >= 1) {
      path.lineTo(right, at);
      path.lineTo(end, at);
      right = end;
      level = at;
    }
  });
}

/** "99 % within 100 ms" holds up to 99: the stair with 100 ms ends there. */
function drawLimits(context, place, rule, y, end) {
  const ratio = devicePixelRatio;
  context.save();
  context.strokeStyle = colour('sla');
  context.lineWidth = 1.5 * ratio;
  context.setLineDash([3 * ratio, 3 * ratio]);
  context.beginPath();
  let from = 0;
  rule.rows.forEach((row) => {
    const to = row.percentile >= 100 ? end : Math.min(end, placeOf(row.percentile));
    const at = place.y(toAxis(row.limit, y));
    context[from === 0 ? 'moveTo' : 'lineTo'](place.x(from), at);
    context.lineTo(place.x(to), at);
    from = to;
  });
  context.stroke();
  context.restore();
}

/** Percentiles that the axis has, without those whose labels would touch. */
function ticks(end, width) {
  const room = width / end;
  const all = labelled(end, room < 110).map((percentile) => ({ at: placeOf(percentile), text: `${percentile}%` }));
  const kept = [];
  for (const tick of all) {
    const before = kept.at(-1);
    if (before === undefined || (tick.at - before.at) * room > (7 * (tick.text.length + before.text.length)) / 2 + 10) {
      kept.push(tick);
    }
  }
  return kept;
}
