// Values that came with a trace, the slowest first: from a slow bucket to the call that was slow.

import { fill, h } from './dom.js';
import { letter } from './palette.js';
import { clockText, dateText, isoTime } from './times.js';
import { exactValue, formatValue } from './units.js';

const SECOND = 1000;
const MOST = 12;

/** Shows them; hidden while there are none. */
export class ExemplarsPanel {
  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.body = h('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'Exemplars' });
    this.element = h(
      'section',
      { class: 'panel exemplars', 'aria-label': 'Exemplars', hidden: true },
      h(
        'header',
        {},
        h('h2', {}, 'Exemplars'),
        h('span', { class: 'note' }, 'values with a trace, of different magnitudes'),
      ),
      this.body,
    );
  }

  /**
   * @param {import('./state.js').State} state
   * @param {import('./extent.js').Facts['exemplars']} exemplars
   * @param {import('./model.js').Range} range that is shown
   */
  update(state, exemplars, range) {
    this.element.hidden = exemplars.length === 0;
    const kind = JSON.stringify([exemplars, state.unit, state.zone, range], (key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    if (this.element.hidden || this.body.dataset.kind === kind) {
      return; // not under the hands of somebody who copies one
    }
    this.body.dataset.kind = kind;
    const several = state.series.length > 1;
    const rows = [...exemplars].sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0)).slice(0, MOST);
    const hasSpans = rows.some((each) => each.spanId !== undefined);
    fill(
      this.body,
      h(
        'table',
        { class: 'numbers', 'data-testid': 'exemplars' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            several ? h('th', { scope: 'col' }, 'Line') : null,
            h('th', { scope: 'col', class: 'figure' }, 'Value'),
            h('th', { scope: 'col' }, 'At'),
            h('th', { scope: 'col' }, 'Trace'),
            hasSpans ? h('th', { scope: 'col', class: 'span-id' }, 'Span') : null,
          ),
        ),
        h(
          'tbody',
          {},
          rows.map((each) => this.#row(each, several, hasSpans, range)),
        ),
      ),
    );
  }

  #row(each, several, hasSpans, range) {
    const at = Date.parse(each.time);
    const second = Math.floor(at / SECOND) * SECOND;
    const isShown = at >= range.start && at < range.end;
    const select = () => this.app.change({ sel: { start: isoTime(second), end: isoTime(second + SECOND) } });
    const time = clockText(second);
    return h(
      'tr',
      { 'data-trace': each.traceId },
      several ? h('td', {}, h('span', { class: `key key-${(each.index % 8) + 1}` }, letter(each.index))) : null,
      h(
        'td',
        { class: 'figure', 'data-value': each.value, title: exactValue(each.value, each.unit) },
        formatValue(each.value, each.unit, this.app.state.unit),
      ),
      h(
        'td',
        { title: dateText(at) },
        isShown ? h('button', { class: 'quiet', title: 'Select this second', onclick: select }, time) : time,
      ),
      h(
        'td',
        { title: each.spanId === undefined ? null : `span ${each.spanId}` },
        h('code', {}, each.traceId),
        ' ',
        copyButton(each.traceId),
      ),
      hasSpans ? h('td', { class: 'span-id' }, h('code', {}, each.spanId ?? '–')) : null,
    );
  }
}

/** Pages that do not come over a safe connection have no clipboard: then the text is there to be marked. */
function copyButton(text) {
  if (navigator.clipboard === undefined) {
    return null;
  }
  const button = h(
    'button',
    {
      class: 'quiet',
      'aria-label': `Copy trace id ${text}`,
      onclick: async () => {
        await navigator.clipboard.writeText(text);
        fill(button, 'Copied');
      },
    },
    'Copy',
  );
  return button;
}
