// The explorer: one state, which is the URL, and the view that shows it. Changing anything is changing the state.

import { ApiError, isCancelled, requireAlive, serverNow, token } from './api.js';
import { formatState, parseState } from './state.js';
import { fill, h, say } from './dom.js';
import { adviceFor, tokenForm } from './messages.js';
import { applyTheme, otherTheme } from './theme.js';
import { showTimesIn, typedTime } from './times.js';
import { SeriesList } from './list.js';
import { openedWith } from './list-time.js';
import { SeriesView } from './series-view.js';
import { shortNames } from './selector.js';
import { ZoneChoice, withZone } from './zone.js';

const AGAIN_MILLIS = [2000, 4000, 8000, 15000];
const MOST_PINS = 12;
const WRITE_MILLIS = 200;

/** The whole page. */
export class App {
  #main = /** @type {HTMLElement} */ (document.getElementById('main'));
  #trail = /** @type {HTMLElement} */ (document.getElementById('trail'));
  #banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
  #shown = /** @type {SeriesList|SeriesView|null} */ (null);
  #list = new SeriesList(this);
  #series = new SeriesView(this);
  #again = 0;
  #failures = 0;
  #writing = 0;
  #written = 0;
  #zone = new ZoneChoice(this);
  state = withZone(parseState(location.search));

  constructor() {
    this.themeButton = h('button', {
      class: 'quiet',
      'data-testid': 'theme-toggle',
      onclick: () => this.change({ theme: otherTheme() }, false),
    });
    document.getElementById('top-tools')?.append(this.#zone.element, this.themeButton);
    document
      .querySelector('[data-home]')
      ?.addEventListener('click', (event) => this.#home(/** @type {MouseEvent} */ (event)));
    addEventListener('popstate', () => {
      clearTimeout(this.#writing);
      this.state = withZone(parseState(location.search));
      this.render();
    });
    addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('theme', () => this.#nameTheme());
    this.render();
  }

  /**
   * @param {Partial<import('./state.js').State>} patch
   * @param {boolean} [step] whether back should undo this
   */
  change(patch, step = true) {
    if (step) {
      this.#write('replaceState'); // what is on the way belongs to the step before
    }
    this.state = { ...this.state, ...patch };
    this.#write(step ? 'pushState' : 'replaceState', step ? 0 : WRITE_MILLIS);
    this.render();
  }

  /** Browsers allow some 200 changes of the address in half a minute, and a key that is held gives more. */
  #write(how, atMostEvery = 0) {
    clearTimeout(this.#writing);
    const wait = this.#written + atMostEvery - performance.now();
    if (wait > 0) {
      this.#writing = window.setTimeout(() => this.#write(how), wait);
      return;
    }
    const address = location.pathname + formatState(this.state);
    if (address !== location.pathname + location.search) {
      history[how](null, '', address);
      this.#written = performance.now();
    }
  }

  /** @param {string[]} selectors opened in place of what was open @param {any} [row] of the list, if it is one */
  open(selectors, row) {
    this.change({ ...openedWith(this.state, row), view: 'series', series: selectors, sel: null, focus: '', base: 0 });
    this.#main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  openChosen() {
    this.open(this.state.series);
  }

  /** @param {string} selector chosen in the list, or not any more */
  choose(selector) {
    const { series } = this.state;
    this.change(
      {
        view: 'list',
        series: series.includes(selector) ? series.filter((s) => s !== selector) : [...series, selector],
      },
      false,
    );
  }

  /** @param {string[]} selectors chosen besides those that are */
  chooseAll(selectors) {
    this.change({ view: 'list', series: [...new Set([...this.state.series, ...selectors])] });
  }

  /** @param {import('./state.js').Pin[]} pins added to those there are, once each */
  pin(pins) {
    const same = (a, b) => a.selector === b.selector && a.start === b.start && a.end === b.end;
    const fresh = pins.filter((pin) => !this.state.pins.some((old) => same(old, pin)));
    // With the first pin the others are held against it: what is now, as a multiple of what was.
    const base = this.state.pins.length === 0 && fresh.length > 0 ? this.state.series.length : this.state.base;
    this.change({ pins: [...this.state.pins, ...fresh].slice(-MOST_PINS), base });
  }

  render() {
    applyTheme(this.state.theme);
    showTimesIn(this.state.zone);
    this.#zone.update(this.state);
    this.#nameTheme();
    const view = this.state.view === 'series' ? this.#series : this.#list;
    if (this.#shown !== view || !view.element.isConnected) {
      this.#shown?.stop();
      fill(this.#main, view.element);
      this.#shown = view;
    }
    this.#main.classList.toggle('wide', view === this.#series);
    this.#names();
    view.update(this.state);
  }

  /**
   * What every part does with a failure: a missing token and a silent sidecar concern the whole page.
   *
   * @param {unknown} failure
   * @returns {{status: number, title: string, text: string, advice: string}|null} what to show in place; null if it is shown already
   */
  failed(failure) {
    if (isCancelled(failure)) {
      return null;
    }
    if (!(failure instanceof ApiError)) {
      throw failure; // a mistake of ours: to the console, not dressed up as one of the sidecar's
    }
    if (failure.status === 401) {
      if (this.#main.querySelector('[data-testid="token-form"]') !== null) {
        return null; // somebody may be typing into it
      }
      this.#shown?.stop();
      fill(
        this.#main,
        tokenForm(token() !== null, () => {
          fill(this.#main);
          this.render();
        }),
      );
      document.getElementById('token')?.focus();
      return null;
    }
    if (failure.status === 0) {
      this.#retry();
      return null;
    }
    return {
      status: failure.status,
      title: `The sidecar refused (${failure.status})`,
      text: failure.message,
      advice: adviceFor(failure.status),
    };
  }

  /** Asks for a sign of life, less and less often, and then draws everything anew. */
  #retry() {
    if (this.#again !== 0) {
      return;
    }
    const wait = AGAIN_MILLIS[Math.min(this.#failures++, AGAIN_MILLIS.length - 1)];
    say(
      this.#banner,
      `The sidecar at ${location.host} does not answer. What is shown may be old. Trying again in ${wait / 1000} s …`,
    );
    this.#again = window.setTimeout(async () => {
      try {
        await requireAlive();
        this.#failures = 0;
        this.#again = 0;
        say(this.#banner, '');
        this.#series.forget();
        this.render();
      } catch {
        this.#again = 0;
        this.#retry();
      }
    }, wait);
  }

  /** @param {string} text for screen readers */
  announce(text) {
    say(/** @type {HTMLElement} */ (document.getElementById('announce')), text);
  }

  /** @param {string} text typed @returns {number|null} milliseconds since 1970 */
  time(text) {
    return typedTime(text, serverNow());
  }

  #names() {
    const { state } = this;
    const all = formatState({ ...state, view: 'list' });
    const names = state.series.length > 3 ? [`${state.series.length} series`] : shortNames(state.series);
    const title = names.join(', ');
    document.title = state.view === 'series' ? `${title} · hdr-sidecar` : 'hdr-sidecar explorer';
    fill(
      this.#trail,
      state.view === 'series'
        ? [
            h('a', { href: all === '' ? './' : all, onclick: (event) => this.#toList(event) }, '‹ All series'),
            ` / ${state.series.length === 1 ? state.series[0] : title}`,
          ]
        : 'All series',
    );
  }

  #toList(event) {
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.change({ view: 'list' });
    }
  }

  #home(event) {
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.change({ view: 'list', series: [], q: '', past: '', sel: null, pins: [], live: false });
    }
  }

  #nameTheme() {
    say(this.themeButton, otherTheme() === 'dark' ? '☾ Dark' : '☀ Light');
    this.themeButton.setAttribute('aria-label', `Switch to the ${otherTheme()} theme`);
  }

  #key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName ?? '');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (this.state.view !== 'list') {
        this.change({ view: 'list' });
      }
      this.#list.search.focus();
    }
  }
}

new App();
