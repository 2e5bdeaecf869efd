// Values per second over time, below latency over time and on the same axis: whether it was slow or only busy.

import { Chart, labelEnds, leftRoom } from './chart.js';
import { colour } from './palette.js';
import { timeTicks } from './time-axis.js';
import { RIGHT } from './time-chart.js';
import { formatRate } from './units.js';
import { axisFor, valueTicks } from './value-axis.js';

/** Draws rates over time, from 0 up. */
export class ThroughputChart {
  #input = /** @type {any} */ (null);

  /** @param {HTMLElement} host @param {{cursor: (at: number|null) => void, ready: (u: any) => void}} options */
  constructor(host, options) {
    this.chart = new Chart(host, { height: () => 120, sync: 'time', ...options });
    document.addEventListener('theme', () => this.#input && this.#show());
  }

  /**
   * @param {{label: string, colour: string, dash: number[], rates: import('./throughput.js').Rated[]}[]} lines
   * @param {import('./model.js').Range} range
   * @param {string} unit that times are shown in, which decides about the room at the left
   */
  show(lines, range, unit) {
    this.#input = { lines, range, unit };
    this.#show();
  }

  #show() {
    const { lines, range, unit } = this.#input;
    const axis = axisFor(
      lines.flatMap((line) => line.rates.map(({ rate }) => rate)),
      'lin',
    );
    this.chart.show({
      x: [range.start, range.end],
      y: [axis.min, axis.max],
      left: leftRoom(unit),
      right: RIGHT,
      xTicks: (width) => timeTicks(range.start, range.end, width),
      yTicks: (height) => valueTicks(axis, 2 * height, 'none', 'auto').map(({ at }) => ({ at, text: formatRate(at) })),
      lines: lines.map((line) => ({
        colour: colour(line.colour),
        dash: line.dash,
        width: 1.4,
        path: (place, path) => trace(line.rates, place, path),
      })),
      over: (context, place, u) =>
        labelEnds(
          context,
          u,
          lines
            .filter((line) => line.rates.length > 0)
            .map((line) => ({
              text: line.label,
              colour: colour(line.colour),
              y: place.y(line.rates[line.rates.length - 1].rate),
            })),
          RIGHT,
        ),
    });
  }
}

function trace(rates, place, path) {
  let pen = false;
  for (const { start, end, joined, rate } of rates) {
    path[pen ? 'lineTo' : 'moveTo'](place.x(start), place.y(rate));
    path.lineTo(place.x(end), place.y(rate));
    pen = joined;
  }
}
