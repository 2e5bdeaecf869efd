// What all charts share: one uPlot with axes, grid, theme, size and cursor. Lines are paths that the charts make
// themselves, since ours are stairs with exact ends, and uPlot's would join points.

import uPlot from './vendor/uPlot.esm.js';
import { placeEnds } from './line-ends.js';
import { colour } from './palette.js';

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Room for the labels of values: the same in all charts, so that times are below each other.
 *
 * @param {string} wanted unit of times; a small one has long numbers
 * @returns {number} pixels
 */
export function leftRoom(wanted) {
  return { ns: 108, us: 88, ms: 70 }[wanted] ?? 62;
}

/**
 * @typedef {{at: number, text: string}} Tick
 * @typedef {{colour: string, dash: number[], width: number, path: (place: Place, path: Path2D) => void}} Line
 * @typedef {{x: (value: number) => number, y: (value: number) => number}} Place canvas pixels
 * @typedef {object} Drawing
 * @property {[number, number]} x first and last place of the x axis
 * @property {[number, number]} y
 * @property {(width: number) => Tick[]} xTicks
 * @property {(height: number) => Tick[]} yTicks
 * @property {Line[]} lines
 * @property {number} left room for labels of values, in pixels
 * @property {number} right room for labels of lines
 * @property {(context: CanvasRenderingContext2D, place: Place, u: uPlot) => void} [under] drawn before the lines
 * @property {(context: CanvasRenderingContext2D, place: Place, u: uPlot) => void} [over] drawn after them
 */

/** One chart in one element, drawn again when its drawing, its size or the theme changes. */
export class Chart {
  /** @type {uPlot|null} */
  #plot = null;
  #signature = '';
  #width = 0;
  /** @type {Drawing|null} */
  drawing = null;

  /**
   * @param {HTMLElement} host
   * @param {{height: () => number, sync?: string, cursor?: (x: number|null) => void, ready?: (u: uPlot) => void, resized?: () => void}} options
   */
  constructor(host, options) {
    this.host = host;
    this.options = options;
    new ResizeObserver(() => {
      if (host.clientWidth !== this.#width && host.clientWidth > 0) {
        this.#width = host.clientWidth;
        options.resized?.();
        this.#draw();
      }
    }).observe(host);
    document.addEventListener('theme', () => {
      this.#signature = ''; // whoever draws here has the new colours in its next drawing
    });
  }

  /** @returns {uPlot|null} */
  get plot() {
    return this.#plot;
  }

  /** @returns {number} pixels that are left for the plot itself */
  plotWidth(left, right) {
    return Math.max(50, (this.host.clientWidth || 600) - left - right);
  }

  /** @param {Drawing} drawing */
  show(drawing) {
    this.drawing = drawing;
    this.#draw();
  }

  #draw() {
    const { drawing } = this;
    if (drawing === null || this.host.clientWidth === 0) {
      this.#width = 0; // hidden, or not in the document: drawn when it has a size again
      return;
    }
    this.#width = this.host.clientWidth;
    const height = this.options.height();
    const signature = JSON.stringify([
      drawing.lines.map((line) => [line.colour, line.dash, line.width]),
      drawing.left,
      drawing.right,
    ]);
    if (this.#plot === null || signature !== this.#signature) {
      this.#signature = signature;
      this.#plot?.destroy();
      this.#plot = new uPlot(/** @type {any} */ (this.#options(drawing, height)), this.#data(drawing), this.host);
      this.#plot.root.setAttribute('aria-hidden', 'true'); // a table says the same
      this.options.ready?.(this.#plot);
      return;
    }
    if (this.#plot.width !== this.#width || this.#plot.height !== height) {
      this.#plot.setSize({ width: this.#width, height });
    }
    this.#plot.setData(this.#data(drawing), true);
  }

  /** The paths know the values; uPlot needs the ends of the axis. */
  #data(drawing) {
    return /** @type {any} */ ([drawing.x, ...drawing.lines.map(() => [null, null])]);
  }

  #options(drawing, height) {
    const ink = colour('ink-soft');
    const grid = { stroke: colour('grid'), width: 1 };
    const axis = { stroke: ink, font: FONT, grid, ticks: { show: false } };
    const now = () => /** @type {Drawing} */ (this.drawing);
    const ticks = (axisTicks, side) => ({
      splits: (u) => axisTicks(u.bbox[side] / devicePixelRatio).map((tick) => tick.at),
      values: (u) => axisTicks(u.bbox[side] / devicePixelRatio).map((tick) => tick.text),
    });
    return {
      width: this.#width,
      height,
      padding: [10, drawing.right, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: false, y: false, setScale: false },
        points: { show: false },
        y: false,
        ...(this.options.sync === undefined
          ? {}
          : { sync: { key: this.options.sync, setSeries: false, scales: ['x', null] } }),
      },
      scales: { x: { time: false, range: () => now().x }, y: { range: () => now().y } },
      axes: [
        { ...axis, size: 30, gap: 6, ...ticks((width) => now().xTicks(width), 'width') },
        { ...axis, size: drawing.left, gap: 8, ...ticks((room) => now().yTicks(room), 'height') },
      ],
      series: [
        {},
        ...drawing.lines.map((line, i) => ({
          stroke: line.colour,
          width: line.width,
          dash: line.dash,
          points: { show: false },
          paths: (u) => {
            const path = new Path2D();
            now().lines[i].path(placeIn(u), path);
            return { stroke: path, fill: null, clip: null, flags: 1 };
          },
        })),
      ],
      hooks: {
        drawAxes: [(u) => clipped(u, () => now().under?.(u.ctx, placeIn(u), u))],
        draw: [(u) => now().over?.(u.ctx, placeIn(u), u)],
        setCursor: [(u) => this.options.cursor?.(u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') : null)],
      },
    };
  }
}

function clipped(u, draw) {
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}

/** Both scales are linear in what they are given, so a place is a sum and a product. */
function placeIn(u) {
  const { left, top, width, height } = u.bbox;
  const { x, y } = u.scales;
  const perX = width / (x.max - x.min);
  const perY = height / (y.max - y.min);
  return { x: (value) => left + (value - x.min) * perX, y: (value) => top + height - (value - y.min) * perY };
}

/**
 * Writes names beside the right ends of lines, moved apart where they would cover each other.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {uPlot} u
 * @param {import('./line-ends.js').End[]} labels y in canvas pixels
 * @param {number} room pixels
 */
export function labelEnds(context, u, labels, room) {
  const ratio = devicePixelRatio;
  const line = 14 * ratio;
  const { left, top, width, height } = u.bbox;
  const sorted = placeEnds(labels, top, height, line);
  context.save();
  context.font = `600 ${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const { text, y, colour: fill } of sorted) {
    context.fillStyle = fill;
    context.fillText(fitting(context, text, (room - 8) * ratio), left + width + 6 * ratio, y);
  }
  context.restore();
}

/** As much of a text as there is room for. */
export function fitting(context, text, room) {
  if (context.measureText(text).width <= room) {
    return text;
  }
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > room) {
    short = short.slice(0, -1);
  }
  return `${short}…`;
}
