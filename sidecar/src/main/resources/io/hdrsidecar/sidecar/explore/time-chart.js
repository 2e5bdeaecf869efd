// Latency over time: lines of stairs, one stair for each step, gaps where there is nothing.

import { Chart, labelEnds, leftRoom } from './chart.js';
import { colour } from './palette.js';
import { timeTicks } from './time-axis.js';
import { axisFor, toAxis, valueTicks } from './value-axis.js';

/** Room right of both charts over time: for the names of lines here, for the legend there. */
export const RIGHT = 64;

/**
 * @typedef {object} TimeLine
 * @property {string} label
 * @property {number} [rank] of lines that end at the same value, the greater stands above
 * @property {string} colour custom property
 * @property {number[]} dash
 * @property {import('./steps.js').Stretch[]} stretches
 * @property {(step: any) => number|bigint} value
 */

/** Draws lines over time. */
export class TimeChart {
  #input = /** @type {any} */ (null);

  /** @param {HTMLElement} host @param {{cursor: (at: number|null) => void, ready: (u: any) => void}} options */
  constructor(host, options) {
    this.chart = new Chart(host, { height: () => (innerWidth < 700 ? 230 : 270), sync: 'time', ...options });
    document.addEventListener('theme', () => this.#input && this.#show());
  }

  /**
   * @param {TimeLine[]} lines
   * @param {import('./model.js').Range} range
   * @param {{y: 'log'|'lin', unit: string, wanted: string}} scale
   * @param {{value: number|bigint, time: string}[]} exemplars
   */
  show(lines, range, scale, exemplars) {
    const shown = exemplars
      .map(({ value, time }) => ({ value, at: Date.parse(time) }))
      .filter(({ at }) => at >= range.start && at < range.end);
    this.#input = { lines, range, scale, exemplars: shown };
    this.#show();
  }

  #show() {
    const { lines, range, scale, exemplars } = this.#input;
    const axis = axisFor(valuesOf(lines, exemplars), scale.y);
    this.chart.show({
      x: [range.start, range.end],
      y: [axis.min, axis.max],
      left: leftRoom(scale.wanted),
      right: RIGHT,
      xTicks: (width) => timeTicks(range.start, range.end, width),
      yTicks: (height) => valueTicks(axis, height, scale.unit, scale.wanted),
      lines: lines.map((line) => ({
        colour: colour(line.colour),
        dash: line.dash,
        width: line.colour === 'shade-max' ? 2 : 1.4,
        path: (place, path) => trace(line, axis, place, path),
      })),
      over: (context, place, u) => {
        marks(context, place, exemplars, scale.y);
        labelEnds(
          context,
          u,
          lines
            .filter((line) => line.stretches.length > 0)
            .map((line) => ({
              text: line.label,
              rank: line.rank,
              colour: colour(line.colour),
              y: place.y(toAxis(line.value(line.stretches[line.stretches.length - 1].step), scale.y)),
            })),
          RIGHT,
        );
      },
    });
  }
}

/** A diamond where a value with a trace is. */
function marks(context, place, exemplars, y) {
  const size = 4.5 * devicePixelRatio;
  context.save();
  context.fillStyle = colour('mark');
  context.strokeStyle = colour('card');
  context.lineWidth = devicePixelRatio;
  for (const { value, at } of exemplars) {
    const [x, level] = [place.x(at), place.y(toAxis(value, y))];
    context.beginPath();
    context.moveTo(x, level - size);
    context.lineTo(x + size, level);
    context.lineTo(x, level + size);
    context.lineTo(x - size, level);
    context.closePath();
    context.fill();
    context.stroke();
  }
  context.restore();
}

function* valuesOf(lines, exemplars) {
  for (const { value } of exemplars) {
    yield value;
  }
  for (const line of lines) {
    for (const { step } of line.stretches) {
      yield line.value(step);
    }
  }
}

function trace(line, axis, place, path) {
  let pen = false;
  for (const { start, end, joined, step } of line.stretches) {
    const at = place.y(Math.max(axis.min, toAxis(line.value(step), axis.y)));
    if (pen) {
      path.lineTo(place.x(start), at);
    } else {
      path.moveTo(place.x(start), at);
    }
    path.lineTo(place.x(end), at);
    pen = joined;
  }
}
