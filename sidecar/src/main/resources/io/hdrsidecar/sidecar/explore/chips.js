// What is open and what is pinned, each with its letter, and how to add and to leave out.

import { h } from './dom.js';
import { formatState } from './state.js';
import { rangeText } from './times.js';

/** With more than these, chips would push the charts out of sight. */
const MOST = 24;

/**
 * @param {import('./model.js').Item[]} items
 * @param {import('./main.js').App} app
 */
export function chips(items, app) {
  const { state } = app;
  const list = formatState({ ...state, view: 'list' });
  const toList = (event) => {
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      app.change({ view: 'list' });
    }
  };
  return h(
    'ul',
    { class: 'chips', 'aria-label': 'Open series and pins' },
    items.slice(0, MOST).map((item) =>
      h(
        'li',
        {
          class: `chip${item.pinned ? ' pinned' : ''}`,
          'data-testid': item.pinned ? 'pinned' : 'open',
          'data-selector': item.selector,
        },
        h('span', { class: `key key-${(item.index % 8) + 1}` }, item.letter),
        h(
          'span',
          { class: 'what', title: item.selector },
          item.selector,
          item.pinned ? h('span', { class: 'note' }, ` ${rangeText(item.range.start, item.range.end)}`) : null,
        ),
        item.pinned || state.series.length > 1
          ? h(
              'button',
              {
                class: 'quiet',
                'aria-label': `${item.pinned ? 'Unpin' : 'Close'} ${item.letter} ${item.selector}`,
                onclick: () => leave(item, app),
              },
              '✕',
            )
          : null,
      ),
    ),
    items.length > MOST ? h('li', { class: 'note' }, `and ${items.length - MOST} more`) : null,
    h(
      'li',
      {},
      h('a', { class: 'button quiet', href: list, onclick: toList, 'data-testid': 'add-series' }, '+ Add series'),
    ),
  );
}

function leave(item, app) {
  const { state } = app;
  // Whatever the others were held against, letters move up by one.
  const base = state.base > item.index ? state.base - 1 : state.base === item.index ? 0 : state.base;
  if (item.pinned) {
    const place = item.index - state.series.length;
    app.change({ base, pins: state.pins.filter((pin, i) => i !== place) });
  } else {
    app.change({ base, series: state.series.filter((selector) => selector !== item.selector) });
  }
}
