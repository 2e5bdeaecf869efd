// The list of all series. However many there are, only the rows in sight are in the document.

import { Overview } from './overview.js';
import { h, fill, say } from './dom.js';
import { looksLikeSelector, matchesWords } from './selector.js';
import { formatCount } from './units.js';
import { errorMessage, nothingFound, nothingThen, noSeriesYet, onlyAPast } from './messages.js';
import { isNodeOfFleet } from './extent.js';
import { ListTime } from './list-time.js';
import { linesOf } from './list-lines.js';
import { lineElement, opensAs } from './list-row.js';
import { LinesInSight } from './list-scroll.js';
import { rangeText, spanText } from './times.js';
import { pointsWithValues } from './spark.js';

const TYPING_MILLIS = 200;
/** More lines than these nobody tells apart. */
const MOST_CHOSEN = 100;

const COLUMNS = [
  { key: 'name', title: 'Series', css: 'series-name' },
  { key: '', title: 'Max over time', css: 'for-spark' },
  { key: 'rate', title: 'Rate', css: 'figure for-rate' },
  { key: 'p50', title: 'p50', css: 'figure for-p50' },
  { key: 'p99', title: 'p99', css: 'figure for-p99' },
  { key: 'p999', title: 'p99.9', css: 'figure for-p999' },
  { key: 'max', title: 'Max', css: 'figure for-max' },
  { key: 'sla', title: 'SLA', css: 'for-sla' },
];
/** A spark line has at least a tenth of its time. */
const LEAST_POINTS = 6;

/** Draws the list into its element, and keeps it. */
export class SeriesList {
  #typing = 0;
  #shown = [];
  /** @type {import('./list-lines.js').Line[]} */
  #lines = [];
  #points = LEAST_POINTS;

  /** @param {import('./main.js').App} app */
  constructor(app) {
    this.app = app;
    this.data = new Overview(
      () => this.#rows(),
      (failure) => this.#failed(failure),
    );
    this.search = h('input', {
      type: 'search',
      'data-testid': 'search',
      'aria-label': 'Search series',
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: 'Search name and labels, or a selector: checkout{route="/pay"}',
      oninput: () => this.#typed(),
      onkeydown: (event) => event.key === 'ArrowDown' && (event.preventDefault(), this.inSight.focus(0)),
    });
    this.time = new ListTime(app);
    this.notes = h('ul', { class: 'notes', 'data-testid': 'list-warnings' });
    this.count = h('span', { class: 'note', role: 'status' });
    this.openAll = h('button', { class: 'primary', 'data-testid': 'open-selected', onclick: () => app.openChosen() });
    this.chooseAll = h('button', { onclick: () => app.chooseAll(this.#shown.map((row) => row.selector)) });
    this.openOne = h(
      'button',
      { 'data-testid': 'open-merged', onclick: () => app.open([this.search.value.trim()]) },
      'Open all that match as one',
    );
    this.violated = h('button', {
      class: 'badge violated',
      'data-testid': 'violated',
      title: 'Show these first',
      onclick: () => app.change({ sort: 'sla' }, false),
    });
    this.head = h(
      'div',
      { class: 'grid-head', role: 'row' },
      h('span', { role: 'columnheader' }, h('span', { class: 'unseen' }, 'Chosen')),
      COLUMNS.map((column) => this.#title(column)),
    );
    this.space = h('div', { class: 'grid-space', role: 'rowgroup', onclick: (event) => this.#click(event) });
    this.scroll = h('div', { class: 'grid-scroll', onscroll: () => this.inSight.draw() }, this.space);
    this.grid = h(
      'div',
      {
        class: 'grid',
        role: 'grid',
        'aria-label': 'Series',
        'aria-multiselectable': 'true',
        onkeydown: (event) => this.#key(event),
      },
      h('div', { role: 'rowgroup' }, this.head),
      this.scroll,
    );
    this.message = h('div', {});
    this.element = h(
      'section',
      { class: 'list' },
      h('h1', { class: 'unseen' }, 'All series'),
      h(
        'div',
        { class: 'list-tools' },
        this.search,
        this.time.element,
        this.openAll,
        this.chooseAll,
        this.openOne,
        this.violated,
        this.count,
      ),
      this.notes,
      this.message,
      this.grid,
    );
    this.inSight = new LinesInSight(this, (line, known) => lineElement(line, known, app, this.#points));
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
    fill(
      this.message,
      typed
        ? errorMessage(
            'This is not a selector yet',
            told.text,
            'Write it as in PromQL: checkout{route="/pay",region=~"eu-.*"}. Words without braces are looked for in names and labels.',
          )
        : errorMessage(
            told.title,
            told.text,
            told.advice,
            h('button', { onclick: () => this.app.render() }, 'Try again'),
          ),
    );
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => {
      this.scroll.scrollTop = 0;
      this.inSight.current = 0;
      this.app.change({ q: this.search.value.trim() }, false);
    }, TYPING_MILLIS);
  }

  #title(column) {
    if (column.key === '') {
      this.sparkTitle = h('span', { class: column.css, role: 'columnheader' }, column.title);
      return this.sparkTitle;
    }
    const turn = () => {
      const { sort } = this.app.state;
      const first = column.key === 'name' || column.key === 'sla' ? column.key : `-${column.key}`;
      this.app.change(
        { sort: sort === first ? (first.startsWith('-') ? column.key : `-${column.key}`) : first },
        false,
      );
    };
    return h(
      'span',
      { class: column.css, role: 'columnheader', 'data-key': column.key },
      h('button', { onclick: turn }, column.title, h('span', { 'aria-hidden': 'true' })),
    );
  }

  /** Chooses and orders what is to be seen, after either the data or the state has changed. */
  #rows() {
    const { state } = this.app;
    const selector = looksLikeSelector(state.q);
    this.#shown =
      selector || state.q === ''
        ? [...this.data.rows]
        : this.data.rows.filter((row) => matchesWords(state.q, row.text));
    // What a selector leaves out is not known here.
    this.#lines = linesOf(
      this.#shown,
      state.sort,
      selector ? () => 0 : (name) => this.data.rows.filter((row) => row.name === name).length,
    );
    this.#fitSparks();
    for (const title of this.head.querySelectorAll('[data-key]')) {
      const mine = state.sort.replace('-', '') === title.dataset.key;
      const down = state.sort.startsWith('-');
      title.setAttribute('aria-sort', mine ? (down ? 'descending' : 'ascending') : 'none');
      say(title.querySelector('span'), mine ? (down ? '▾' : '▴') : '');
    }
    const all = this.data.total;
    const { range, window } = this.data;
    const over =
      range !== null
        ? rangeText(range.start, range.end)
        : window === 'total'
          ? 'figures since counting began'
          : window === ''
            ? ''
            : `figures of the last ${window}`;
    this.time.element.hidden = this.data.extent !== null && !this.data.extent.live;
    this.time.update(state, range);
    fill(
      this.notes,
      this.data.warnings.map((text) => h('li', {}, text)),
    );
    say(
      this.count,
      this.data.rows.length === 0
        ? this.data.loaded
          ? ''
          : 'Loading…'
        : `${this.#shown.length === all ? formatCount(all) : `${formatCount(this.#shown.length)} of ${formatCount(all)}`} series${over === '' ? '' : `, ${over}`}`,
    );
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
    this.inSight.show(this.#lines);
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
      const message =
        isPast && range !== null
          ? nothingThen(`from ${rangeText(range.start, range.end)}`, past(''))
          : extent === null
            ? noSeriesYet(isNodeOfFleet())
            : onlyAPast(extent, past('0'));
      const clear = () => {
        this.search.value = '';
        this.app.change({ q: '' }, false);
      };
      fill(
        this.message,
        state.q === ''
          ? message
          : nothingFound(
              { query: state.q, selector: looksLikeSelector(state.q), past: isPast },
              { clear, showPast: isPast || !extent?.live ? null : past('0'), open: () => this.app.open([state.q]) },
            ),
      );
    }
  }

  /** All spark lines are of the same time: the last minutes, but no longer than there is something. */
  #fitSparks() {
    const sparks = this.#shown.map((row) => row.spark).filter((spark) => spark);
    this.#points = this.data.range === null ? pointsWithValues(sparks, LEAST_POINTS) : Infinity;
    const shown =
      sparks.length === 0 || this.data.range !== null
        ? ''
        : `Max, ${spanText(Math.min(this.#points, sparks[0].max.length) * sparks[0].stepSeconds * 1000)}`;
    say(this.sparkTitle, shown || 'Max over time');
  }

  #click(event) {
    const element = event.target.closest('.grid-row');
    if (element === null) {
      return;
    }
    const line = this.#lines[Number(element.dataset.index)];
    if (event.target.tagName === 'INPUT') {
      this.#choose(line);
    } else if (event.target.closest('a') === null || !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.#open(line);
    }
  }

  #open(line) {
    if (line.kind === 'group') {
      this.app.open(opensAs(line.group));
    } else {
      this.app.open([line.row.selector], line.row);
    }
  }

  /** All of a group, or none if they are chosen already. */
  #choose(line) {
    if (line.kind === 'series') {
      this.app.choose(line.row.selector);
      return;
    }
    const all = line.group.rows.map((row) => row.selector);
    const { series } = this.app.state;
    if (all.every((selector) => series.includes(selector))) {
      this.app.change({ view: 'list', series: series.filter((selector) => !all.includes(selector)) }, false);
    } else {
      this.app.chooseAll(all);
    }
  }

  #key(event) {
    const row = event.target.closest('.grid-row');
    if (row === null) {
      return;
    }
    const at = Number(row.dataset.index);
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / row.offsetHeight) - 1);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.#lines.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.inSight.focus(to);
    } else if (event.key === ' ') {
      event.preventDefault();
      this.#choose(this.#lines[at]);
    } else if (event.key === 'Enter') {
      this.#open(this.#lines[at]);
    }
  }
}
