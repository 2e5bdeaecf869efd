// Loads the rows of the list: all series with their figures, page after page, and again every few seconds.

import { ApiError, Latest, ask, serverNow } from './api.js';
import { findExtent, learnClock } from './extent.js';
import { OF_URL, rangeOfList } from './list-time.js';
import { spanOf } from './model.js';
import { searchText } from './selector.js';

const PAGE = 500;
const POINTS = 60;
const AGAIN_MILLIS = 5000;
const AGAIN_MANY_MILLIS = 20000;

/**
 * @typedef {{name: string, labels: Object<string, string>, selector: string, unit: string, ended?: boolean,
 *   covered?: {start: string|null, end: string|null}, count: number|bigint|null,
 *   ratePerSecond: number|null, p50: number|bigint|null, p99: number|bigint|null, p999: number|bigint|null, max: number|bigint|null,
 *   last?: any, exemplars: import('./extent.js').Exemplar[], kept?: {start: string, end: string}|null,
 *   lastSeen: string, sla: 'met'|'violated'|'unknown'|null, spark: any, text: string}} Row
 */

/** Keeps the rows up to date while it is started and the tab is in sight; those of a past are asked for once. */
export class Overview {
  #latest = new Latest();
  #timer = 0;
  #asked = '';
  #question = /** @type {any} */ (null);
  #clockKnown = false;
  /** @type {Row[]} */
  rows = [];
  total = 0;
  /** Name of the window that the figures are of; empty for those of a range. */
  window = '';
  loaded = false;
  /** @type {import('./extent.js').Extent|null} */
  extent = null;
  #extentKnown = false;
  /** @type {import('./model.js').Range|null} of which the rows are; null for now */
  range = null;
  /** What is to be said about them. */
  warnings = /** @type {string[]} */ ([]);

  /**
   * @param {() => void} onrows called after each page
   * @param {(failure: unknown) => void} onfailure
   */
  constructor(onrows, onfailure) {
    this.onrows = onrows;
    this.onfailure = onfailure;
    document.addEventListener('visibilitychange', () => {
      if (this.#timer !== 0 && !document.hidden && this.range === null) {
        this.#load();
      }
    });
  }

  /** @param {string} selector empty for all series @param {import('./state.js').State} state another time or selector than before starts anew */
  start(selector, state) {
    const asked = JSON.stringify([selector, state.past, state.past === OF_URL ? [state.start, state.end] : []]);
    if (this.#timer !== 0 && asked === this.#asked) {
      return;
    }
    if (asked !== this.#asked) {
      this.rows = [];
      this.warnings = [];
      this.loaded = false;
    }
    this.#asked = asked;
    this.#question = { selector, state };
    this.#load();
  }

  stop() {
    this.#latest.cancel();
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  async #load() {
    clearTimeout(this.#timer);
    const signal = this.#latest.next();
    this.#timer = -1;
    let again = true;
    try {
      again = await this.#ask(this.#question, signal);
    } catch (failure) {
      // Stopped because of it; or the same question has the same answer.
      again = !(failure instanceof ApiError && failure.status === 400);
      if (!signal.aborted) {
        this.onfailure(failure);
      }
    } finally {
      // Whatever happened, a mistake of ours too: the list does not stand still for good.
      if (again && !signal.aborted) {
        this.#timer = window.setTimeout(
          () => !document.hidden && this.#load(),
          this.total > PAGE ? AGAIN_MANY_MILLIS : AGAIN_MILLIS,
        );
      }
    }
  }

  /** @returns {Promise<boolean>} whether to ask again in a while */
  async #ask({ selector, state }, signal) {
    if (!this.#extentKnown || this.rows.length === 0) {
      this.extent = await findExtent(signal); // what is kept grows, and goes
      this.#extentKnown = true;
    }
    const files = this.extent !== null && !this.extent.live;
    if (state.past !== '' && !files && !this.#clockKnown) {
      await learnClock(signal);
      this.#clockKnown = true;
    }
    const range = files ? this.extent : rangeOfList(state, serverNow(), this.extent);
    if (typeof range === 'string') {
      throw new ApiError(400, range);
    }
    this.range = files ? null : range;
    const asked = { series: selector || undefined, ...(range === null ? {} : spanOf(range)) };
    if (range === null || files) {
      await this.#pages({ ...asked, points: POINTS }, !this.loaded, signal);
      return true;
    }
    await this.#pages({ ...asked, figures: 'false' }, true, signal);
    try {
      await this.#pages({ ...asked, points: POINTS }, false, signal);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 422)) {
        throw failure;
      }
      this.warnings = [`Names only, without figures: ${failure.message}`];
      this.onrows();
    }
    return false;
  }

  async #pages(parameters, eachShown, signal) {
    /** @type {Row[]} */
    const rows = [];
    const warnings = new Set();
    do {
      const answer = await ask('api/v1/overview', { ...parameters, limit: PAGE, offset: rows.length }, signal);
      const { data } = answer;
      answer.warnings.forEach((text) => warnings.add(text));
      rows.push(...data.series.map((row) => ({ ...row, text: searchText(row) })));
      this.total = data.total;
      this.window = data.window ?? '';
      if (data.series.length === 0) {
        break;
      }
      if (eachShown) {
        this.#show(rows); // the first time, each page as it comes
      }
    } while (rows.length < this.total);
    this.loaded = true;
    this.warnings = [...warnings];
    this.#show(rows);
  }

  #show(rows) {
    this.rows = [...rows];
    this.onrows();
  }
}
