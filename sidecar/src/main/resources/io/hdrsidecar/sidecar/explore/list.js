// The list of all series. However many there are, only the rows in sight are in the document.

import { Overview } from './overview.js';
import { h, fill, say } from './dom.js';
import { looksLikeSelector, matchesWords } from './selector.js';
import { exactValue, formatCount, formatRate, formatValue } from './units.js';
import { formatState } from './state.js';
import { errorMessage, nothingFound, nothingThen, noSeriesYet, onlyAPast } from './messages.js';
import { ListTime, openedWith } from './list-time.js';
import { rangeText } from './times.js';
import { badgeOf, slaRank } from './row-badge.js';
import { sparkLine } from './spark.js';

const BEYOND = 8; // rows drawn above and below those in sight
const TYPING_MILLIS = 200;
/** More lines than these nobody tells apart. */
const MOST_CHOSEN = 100;

const COLUMNS = [
  { key: 'name', title: 'Series', css: 'series-name' },
  { key: '', title: 'Max over time', css: 'for-spark' },
  { key: 'rate', title: 'Rate', css: 'figure for-rate' },
  { key: 'p50', title: 'p50', css: 'figure for-p50' },
  { key: 'p99', title: 'p99', css: 'figure for-p99' },
  { key: 'max', title: 'Max', css: 'figure for-max' },
  { key: 'sla', title: 'SLA', css: 'for-sla' },
];
const NATURAL = new Intl.Collator('en', { numeric: true });

/** Draws the list into its element, and keeps it. */
export class SeriesList {
  #typing = 0;
  #shown = [];
  #current = 0;
  #elements = new Map();

  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.data = new Overview(() => this.#rows(), (failure) => this.#failed(failure));
    this.search = h('input', {
      type: 'search', 'data-testid': 'search', 'aria-label': 'Search series', spellcheck: 'false', autocomplete: 'off',
      placeholder: 'Search name and labels, or a selector: checkout{route="/pay"}', oninput: () => this.#typed(),
      onkeydown: (event) => event.key === 'ArrowDown' && (event.preventDefault(), this.#focus(0)),
    });
    this.time = new ListTime(app);
    this.notes = h('ul', { class: 'notes', 'data-testid': 'list-warnings' });
    this.count = h('span', { class: 'note', role: 'status' });
    this.openAll = h('button', { class: 'primary', 'data-testid': 'open-selected', onclick: () => app.openChosen() });
    this.chooseAll = h('button', { onclick: () => app.chooseAll(this.#shown.map((row) => row.selector)) });
    this.openOne = h('button', { 'data-testid': 'open-merged', onclick: () => app.open([this.search.value.trim()]) }, 'Open all that match as one');
    this.violated = h('button', { class: 'badge violated', 'data-testid': 'violated', title: 'Show these first', onclick: () => app.change({ sort: 'sla' }, false) });
    this.head = h('div', { class: 'grid-head', role: 'row' }, h('span', { role: 'columnheader' }, h('span', { class: 'unseen' }, 'Chosen')),
      COLUMNS.map((column) => this.#title(column)));
    this.space = h('div', { class: 'grid-space', role: 'rowgroup' });
    this.scroll = h('div', { class: 'grid-scroll', onscroll: () => this.#draw() }, this.space);
    this.grid = h('div', { class: 'grid', role: 'grid', 'aria-label': 'Series', 'aria-multiselectable': 'true', onkeydown: (event) => this.#key(event) },
      h('div', { role: 'rowgroup' }, this.head), this.scroll);
    this.message = h('div', {});
    this.element = h('section', { class: 'list' }, h('h1', { class: 'unseen' }, 'All series'),
      h('div', { class: 'list-tools' }, this.search, this.time.element, this.openAll, this.chooseAll, this.openOne, this.violated, this.count), this.notes, this.message, this.grid);
    new ResizeObserver(() => this.#draw()).observe(this.scroll);
  }

  /** @param {import('./state.js').State} state */
  update(state) {
    if (document.activeElement !== this.search) {
      this.search.value = state.q;
    }
    this.data.start(looksLikeSelector(state.q) ? state.q : '', state);
    this.#rows();
  }

  stop() {
    this.data.stop();
  }

  #failed(failure) {
    const told = this.app.failed(failure);
    if (told === null) {
      return;
    }
    this.#shown = [];
    this.grid.hidden = true;
    say(this.count, '');
    delete this.message.dataset.of;
    this.openOne.hidden = !looksLikeSelector(this.app.state.q); // what is wrong with it is said there, too
    say(this.openOne, 'Open this selector');
    const typed = told.status === 400 && looksLikeSelector(this.app.state.q);
    fill(this.message, typed
      ? errorMessage('This is not a selector yet', told.text, 'Write it as in PromQL: checkout{route="/pay",region=~"eu-.*"}. Words without braces are looked for in names and labels.')
      : errorMessage(told.title, told.text, told.advice, h('button', { onclick: () => this.app.render() }, 'Try again')));
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => {
      this.scroll.scrollTop = 0;
      this.#current = 0;
      this.app.change({ q: this.search.value.trim() }, false);
    }, TYPING_MILLIS);
  }

  #title(column) {
    if (column.key === '') {
      return h('span', { class: column.css, role: 'columnheader' }, column.title);
    }
    const turn = () => {
      const { sort } = this.app.state;
      const first = column.key === 'name' || column.key === 'sla' ? column.key : `-${column.key}`;
      this.app.change({ sort: sort === first ? (first.startsWith('-') ? column.key : `-${column.key}`) : first }, false);
    };
    return h('span', { class: column.css, role: 'columnheader', 'data-key': column.key },
      h('button', { onclick: turn }, column.title, h('span', { 'aria-hidden': 'true' })));
  }

  /** Chooses and orders what is to be seen, after either the data or the state has changed. */
  #rows() {
    const { state } = this.app;
    const selector = looksLikeSelector(state.q);
    this.#shown = selector || state.q === '' ? [...this.data.rows] : this.data.rows.filter((row) => matchesWords(state.q, row.text));
    order(this.#shown, state.sort);
    for (const title of this.head.querySelectorAll('[data-key]')) {
      const mine = state.sort.replace('-', '') === title.dataset.key;
      const down = state.sort.startsWith('-');
      title.setAttribute('aria-sort', mine ? (down ? 'descending' : 'ascending') : 'none');
      say(title.querySelector('span'), mine ? (down ? '▾' : '▴') : '');
    }
    const all = this.data.total;
    const { range, window } = this.data;
    const over = range !== null ? rangeText(range.start, range.end) : window === 'total' ? 'figures since counting began' : window === '' ? '' : `figures of the last ${window}`;
    this.time.element.hidden = this.data.extent !== null && !this.data.extent.live;
    this.time.update(state, range);
    fill(this.notes, this.data.warnings.map((text) => h('li', {}, text)));
    say(this.count, this.data.rows.length === 0 ? (this.data.loaded ? '' : 'Loading…')
      : `${this.#shown.length === all ? formatCount(all) : `${formatCount(this.#shown.length)} of ${formatCount(all)}`} series${over === '' ? '' : `, ${over}`}`);
    const chosen = state.series.length;
    this.openAll.hidden = chosen === 0;
    say(this.openAll, chosen === 1 ? 'Open the chosen series' : `Open ${chosen} chosen series`);
    const some = state.q !== '' && this.#shown.length > 1 && this.#shown.length <= MOST_CHOSEN;
    this.chooseAll.hidden = !some;
    say(this.chooseAll, `Choose all ${this.#shown.length}`);
    this.openOne.hidden = !selector;
    say(this.openOne, this.#shown.length > 1 ? 'Open all that match as one' : 'Open this selector');
    const violated = this.#shown.filter((row) => row.sla === 'violated').length;
    this.violated.hidden = violated === 0;
    say(this.violated, `✕ ${violated} ${violated === 1 ? 'violates its SLA' : 'violate their SLA'}`);
    this.#empty(state);
    this.#draw(true);
  }

  #empty(state) {
    const none = this.data.loaded && this.#shown.length === 0;
    this.grid.hidden = none || (this.grid.hidden && !this.data.loaded);
    if (!this.data.loaded && this.data.rows.length === 0) {
      return; // what is there stays until it is known better
    }
    if (!none) {
      fill(this.message);
    } else {
      const { extent, range } = this.data;
      const of = JSON.stringify([state.q, state.past, extent === null]);
      if (this.message.dataset.of === of && this.message.childElementCount > 0) {
        return;
      }
      this.message.dataset.of = of;
      const past = (value) => () => this.app.change({ past: value });
      const isPast = state.past !== '';
      const message = isPast && range !== null ? nothingThen(`from ${rangeText(range.start, range.end)}`, past(''))
        : extent === null ? noSeriesYet() : onlyAPast(extent, past('0'));
      const clear = () => {
        this.search.value = '';
        this.app.change({ q: '' }, false);
      };
      fill(this.message, state.q === '' ? message : nothingFound({ query: state.q, selector: looksLikeSelector(state.q), past: isPast },
        { clear, showPast: isPast || !extent?.live ? null : past('0'), open: () => this.app.open([state.q]) }));
    }
  }

  /** Puts the rows in sight into the document; those that are there already stay, with the focus they may have. */
  #draw(anew = false) {
    const height = parseFloat(getComputedStyle(this.element).getPropertyValue('--row'));
    if (!(height > 0)) {
      return; // not in the document
    }
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / height) - BEYOND);
    const last = Math.min(this.#shown.length, Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / height) + BEYOND);
    this.space.style.height = `${this.#shown.length * height}px`;
    this.grid.setAttribute('aria-rowcount', String(this.#shown.length + 1));
    const wanted = new Map();
    for (let i = first; i < last; i++) {
      const row = this.#shown[i];
      const known = this.#elements.get(row.selector);
      const element = known !== undefined && !anew ? known : this.#row(row, known);
      element.style.top = `${i * height}px`;
      element.setAttribute('aria-rowindex', String(i + 2));
      element.tabIndex = i === this.#current ? 0 : -1;
      element.dataset.index = String(i);
      wanted.set(row.selector, element);
    }
    for (const [selector, element] of this.#elements) {
      if (!wanted.has(selector)) {
        element.remove();
      }
    }
    this.#elements = wanted;
    for (const element of wanted.values()) {
      if (!element.isConnected) {
        this.space.append(element);
      }
    }
  }

  #row(row, known) {
    const chosen = this.app.state.series.includes(row.selector);
    const element = known ?? h('div', { class: 'grid-row', role: 'row', 'data-testid': 'series-row', 'data-selector': row.selector, onclick: (event) => this.#click(event, row.selector) });
    element.dataset.ended = String(row.ended === true);
    element.setAttribute('aria-selected', String(chosen));
    const idle = row.count === 0 || row.count === null ? ' idle' : '';
    const figure = (css, caption, value) => h('span', { class: `figure ${css}${idle}`, role: 'gridcell', title: exactValue(value, row.unit), 'data-value': value ?? '' },
      h('span', { class: 'caption' }, caption), formatValue(value, row.unit, this.app.state.unit));
    const labels = Object.entries(row.labels).map(([key, value]) => `${key}=${value}`).join('  ');
    const link = formatState({ ...this.app.state, ...openedWith(this.app.state, row), view: 'series', series: [row.selector] });
    return fill(element,
      h('span', { role: 'gridcell' }, h('input', { type: 'checkbox', tabindex: '-1', checked: chosen, 'aria-label': `Choose ${row.selector}` })),
      h('span', { class: 'series-name', role: 'gridcell', title: row.selector }, h('a', { href: link, tabindex: '-1', 'data-testid': 'open-series' }, row.name), h('span', { class: 'labels' }, labels)),
      h('span', { class: 'for-spark', role: 'gridcell' }, sparkLine(row.spark, row.unit)),
      h('span', { class: `figure for-rate${idle}`, role: 'gridcell', title: row.count === null ? '' : `${formatCount(row.count)} values`, 'data-value': row.ratePerSecond ?? '' }, h('span', { class: 'caption' }, 'rate'), formatRate(row.ratePerSecond)),
      figure('for-p50', 'p50', row.p50), figure('for-p99', 'p99', row.p99), figure('for-max', 'max', row.max),
      h('span', { class: 'for-sla', role: 'gridcell', 'data-value': row.sla ?? '' }, badgeOf(row)));
  }

  #click(event, selector) {
    if (event.target.tagName === 'INPUT') {
      this.app.choose(selector);
    } else if (event.target.tagName !== 'A' || !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.app.open([selector], this.#shown.find((row) => row.selector === selector));
    }
  }

  #key(event) {
    const row = event.target.closest('.grid-row');
    if (row === null) {
      return;
    }
    const at = Number(row.dataset.index);
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / row.offsetHeight) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.#shown.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#focus(to);
    } else if (event.key === ' ') {
      event.preventDefault();
      this.app.choose(row.dataset.selector);
    } else if (event.key === 'Enter') {
      this.app.open([row.dataset.selector], this.#shown[at]);
    }
  }

  #focus(index) {
    this.#current = Math.max(0, Math.min(this.#shown.length - 1, index));
    const selector = this.#shown[this.#current]?.selector;
    const height = parseFloat(getComputedStyle(this.element).getPropertyValue('--row'));
    const top = this.#current * height;
    if (top < this.scroll.scrollTop) {
      this.scroll.scrollTop = top;
    } else if (top + height > this.scroll.scrollTop + this.scroll.clientHeight) {
      this.scroll.scrollTop = top + height - this.scroll.clientHeight;
    }
    this.#draw();
    this.#elements.get(selector)?.focus({ preventScroll: true });
  }
}

/** Empty ones last, whichever way the others go. */
function order(rows, sort) {
  const key = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  if (key === 'name') {
    rows.sort((a, b) => sign * NATURAL.compare(a.text, b.text));
    return;
  }
  const of = (row) => (key === 'rate' ? row.ratePerSecond : key === 'sla' ? slaRank(row.sla) : row[key]) ?? null;
  rows.sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    return x === null || y === null ? Number(x === null) - Number(y === null) : sign * (x < y ? -1 : x > y ? 1 : 0);
  });
}
