// Downloads: pictures are drawn here, everything else is what the API answers for the shown selection and range.

import { ApiError, open, token, url } from './api.js';
import { h } from './dom.js';
import { spanOf } from './model.js';
import { colour } from './palette.js';
import { fileName } from './selector.js';
import { zoneText } from './times.js';

const FORMATS = ['csv', 'hgrm', 'hlog'];
let chosen = 0;

/**
 * @param {import('./model.js').Item[]} items
 * @param {{picture: () => Picture, app: import('./main.js').App}} panel
 * @returns {any[]} which line, and links
 */
export function downloads(items, panel) {
  if (items.length === 0) {
    return [];
  }
  chosen = Math.min(chosen, items.length - 1);
  const links = FORMATS.map((format) => h('a', { class: 'button quiet', 'data-testid': `export-${format}` }, format));
  const point = () => links.forEach((link, i) => aim(link, items[chosen], FORMATS[i], panel.app));
  point();
  return [
    items.length < 2
      ? null
      : h(
          'select',
          {
            'aria-label': 'Line to download',
            onchange: (event) => {
              chosen = event.target.selectedIndex;
              point();
            },
          },
          items.map((item, i) => h('option', { selected: i === chosen }, item.letter)),
        ),
    ...links,
    pictureButton(panel),
  ];
}

/** @param {{picture: () => Picture}} panel */
export function pictureButton(panel) {
  return h(
    'button',
    {
      class: 'quiet',
      'data-testid': 'export-png',
      title: 'Download this chart as a picture',
      onclick: () => savePicture(panel.picture()),
    },
    'png',
  );
}

function aim(link, item, format, app) {
  const address = url('api/v1/histogram', { series: item.selector, ...spanOf(item.range), format });
  const name = `${fileName(`${item.selector}_${spanOf(item.range).start}`)}.${format}`;
  link.href = address;
  link.download = name;
  link.title = `Download ${item.letter} as ${format}, in the unit of the series`;
  link.onclick = (event) => {
    if (token() !== null) {
      event.preventDefault(); // a link cannot show the token
      fetched(address, name).catch((failure) => failure instanceof ApiError && app.failed(failure));
    }
  };
}

async function fetched(address, name) {
  save(await (await open(address)).blob(), name);
}

function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * @typedef {object} Picture
 * @property {any} plot uPlot, or null while there is none
 * @property {string} title
 * @property {{text: string, colour: string}[]} texts a line each, above the chart; colour is a custom property
 * @property {string} name of the file
 */

/** Draws title, what is shown, and the chart on one canvas, so that the picture speaks for itself. */
function savePicture({ plot, title, texts, name }) {
  if (plot === null) {
    return;
  }
  const chart = plot.ctx.canvas;
  const ratio = devicePixelRatio;
  const margin = 16 * ratio;
  const line = 20 * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width + 2 * margin;
  canvas.height = chart.height + 3 * margin + (texts.length + 1) * line;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = colour('card');
  context.fillRect(0, 0, canvas.width, canvas.height);
  const write = (text, size, fill, y) => {
    context.font = `${size * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    context.fillStyle = fill;
    context.fillText(text, margin, y, canvas.width - 2 * margin);
  };
  write(`${title} · times in ${zoneText()}`, 15, colour('ink'), margin + 14 * ratio);
  texts.forEach((each, i) => write(each.text, 13, colour(each.colour), margin + 14 * ratio + (i + 1) * line));
  context.drawImage(chart, margin, 2 * margin + (texts.length + 1) * line);
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
}
