// How many values lie where, over time: a column for each step, a cell for each value bucket, coloured by count on
// a logarithmic scale, since a handful of slow calls among thousands is what one looks for.

import { Chart, leftRoom } from './chart.js';
import { colour, heatColour, isDark } from './palette.js';
import { timeTicks } from './time-axis.js';
import { RIGHT } from './time-chart.js';
import { shortCount } from './units.js';
import { toAxis, valueTicks } from './value-axis.js';

/** In decades. */
const ROOM_FOR_ZERO = 0.15;

/** Draws heat maps. */
export class HeatmapChart {
  #input = /** @type {any} */ (null);

  /** @param {HTMLElement} host @param {{cursor: (at: number|null) => void, ready: (u: any) => void}} options */
  constructor(host, options) {
    this.chart = new Chart(host, { height: () => (innerWidth < 700 ? 200 : 240), sync: 'time', ...options });
    document.addEventListener('theme', () => this.#input && this.#show());
  }

  /**
   * @param {{edges: (number|bigint)[], stretches: import('./steps.js').Stretch[]}} map steps with counts
   * @param {import('./model.js').Range} range
   * @param {{y: 'log'|'lin', unit: string, wanted: string}} scale
   */
  show(map, range, scale) {
    this.#input = { map, range, scale };
    this.#show();
  }

  #show() {
    const { map, range, scale } = this.#input;
    const edges = map.edges.map((edge) => toAxis(edge, scale.y));
    const lowest = scale.y === 'log' ? lowestFilled(map) : 0;
    const [min, max] = edges.length > 1 ? [edges[lowest], edges[edges.length - 1]] : [0, 1];
    if (lowest > 0) {
      edges.fill(min, 1, lowest); // nothing is in there
      edges[0] = min - ROOM_FOR_ZERO;
    }
    const axis = { y: scale.y, min: lowest > 0 ? min - ROOM_FOR_ZERO : min, max: max > min ? max : min + 1 };
    let most = 1;
    for (const { step } of map.stretches) {
      for (const count of step.counts) {
        most = Math.max(most, Number(count));
      }
    }
    this.chart.show({
      x: [range.start, range.end],
      y: [axis.min, axis.max],
      left: leftRoom(scale.wanted),
      right: RIGHT,
      xTicks: (width) => timeTicks(range.start, range.end, width),
      yTicks: (height) => valueTicks(axis, height, scale.unit, scale.wanted),
      lines: [],
      under: (context, place) => cells(context, place, map.stretches, edges, most),
      over: (context, place, u) => legend(context, u, most),
    });
  }
}

/** The first bucket above zero that has values: from 0 to there, a logarithmic axis has many empty ones. */
function lowestFilled({ edges, stretches }) {
  if (edges.length < 2 || Number(edges[0]) > 0) {
    return 0;
  }
  const place = edges.findIndex((unused, i) => i > 0 && stretches.some(({ step }) => Number(step.counts[i] ?? 0) > 0));
  return Math.max(0, place);
}

function cells(context, place, columns, edges, most) {
  const dark = isDark();
  const colours = Array.from({ length: 65 }, (unused, i) => heatColour(i / 64, dark));
  const ys = edges.map((edge) => Math.round(place.y(edge)));
  for (const { start, end, step } of columns) {
    const left = Math.floor(place.x(start));
    const width = Math.max(1, Math.floor(place.x(end)) - left);
    step.counts.forEach((count, i) => {
      if (Number(count) > 0) {
        context.fillStyle = colours[Math.round(64 * share(Number(count), most))];
        context.fillRect(left, ys[i + 1], width, Math.max(1, ys[i] - ys[i + 1]));
      }
    });
  }
}

/** A single value is to be seen, too: it begins at a twelfth. */
function share(count, most) {
  return most <= 1 ? 1 : 0.08 + (0.92 * Math.log(count)) / Math.log(most);
}

function legend(context, u, most) {
  const ratio = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  const x = left + width + 10 * ratio;
  const wide = 10 * ratio;
  const dark = isDark();
  context.save();
  for (let i = 0; i < 64; i++) {
    context.fillStyle = heatColour(0.08 + (0.92 * (i + 0.5)) / 64, dark);
    context.fillRect(x, top + height - ((i + 1) * height) / 64, wide, height / 64 + 1);
  }
  context.strokeStyle = colour('rule-strong');
  context.lineWidth = ratio;
  context.strokeRect(x, top, wide, height);
  context.font = `${11 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
  context.fillStyle = colour('ink-soft');
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const count of counts(most)) {
    const y = top + height - ((share(count, most) - 0.08) / 0.92) * height;
    context.fillText(
      shortCount(count),
      x + wide + 5 * ratio,
      Math.min(top + height - 5 * ratio, Math.max(top + 6 * ratio, y)),
    );
  }
  context.restore();
}

/** The powers of ten, and the most, if that is not too near to the last. */
function counts(most) {
  const all = [];
  for (let count = 1; count < most / 2; count *= 10) {
    all.push(count);
  }
  return most === 1 ? [1] : [...all, most];
}
