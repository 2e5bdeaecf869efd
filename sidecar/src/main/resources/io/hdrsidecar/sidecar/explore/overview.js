// Loads the rows of the list: all series with their figures, page after page, and again every few seconds.

import { ApiError, Latest, ask } from './api.js';
import { findExtent } from './extent.js';
import { spanOf } from './model.js';
import { searchText } from './selector.js';

const PAGE = 500;
const POINTS = 60;
const AGAIN_MILLIS = 5000;
const AGAIN_MANY_MILLIS = 20000;

/**
 * @typedef {{name: string, labels: Object<string, string>, selector: string, unit: string, count: number|bigint,
 *   ratePerSecond: number|null, p50: number|bigint|null, p99: number|bigint|null, max: number|bigint|null,
 *   lastSeen: string, sla: 'met'|'violated'|'unknown'|null, spark: any, text: string}} Row
 */

/** Keeps the rows up to date while it is started and the tab is in sight. */
export class Overview {
  #latest = new Latest();
  #timer = 0;
  #selector = '';
  #range = /** @type {{start?: string, end?: string}|null} */ (null);
  /** @type {Row[]} */
  rows = [];
  total = 0;
  /** Name of the window that the figures are of. */
  window = '';
  loaded = false;

  /**
   * @param {() => void} onrows called after each page
   * @param {(failure: unknown) => void} onfailure
   */
  constructor(onrows, onfailure) {
    this.onrows = onrows;
    this.onfailure = onfailure;
    document.addEventListener('visibilitychange', () => {
      if (this.#timer !== 0 && !document.hidden) {
        this.#load();
      }
    });
  }

  /** @param {string} selector empty for all series; another one than before starts anew */
  start(selector) {
    if (this.#timer !== 0 && selector === this.#selector) {
      return;
    }
    if (selector !== this.#selector) {
      this.rows = [];
      this.loaded = false;
    }
    this.#selector = selector;
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
    try {
      this.#range ??= rangeOf(await findExtent(signal));
      /** @type {Row[]} */
      const rows = [];
      do {
        const { data } = await ask('api/v1/overview',
          { series: this.#selector || undefined, ...this.#range, limit: PAGE, offset: rows.length, points: POINTS }, signal);
        rows.push(...data.series.map((row) => ({ ...row, text: searchText(row) })));
        this.total = data.total;
        this.window = data.window ?? '';
        if (data.series.length === 0) {
          break;
        }
        if (!this.loaded) {
          this.#show(rows); // the first time, each page as it comes
        }
      } while (rows.length < this.total);
      this.loaded = true;
      this.#show(rows);
    } catch (failure) {
      if (signal.aborted) {
        return;
      }
      this.onfailure(failure);
      if (signal.aborted || (failure instanceof ApiError && failure.status === 400)) {
        return; // stopped because of it; or the same question has the same answer
      }
    }
    this.#timer = window.setTimeout(() => !document.hidden && this.#load(), this.total > PAGE ? AGAIN_MANY_MILLIS : AGAIN_MILLIS);
  }

  #show(rows) {
    this.rows = [...rows];
    this.onrows();
  }
}

/** Of files all of their time; of a sidecar, what it says of the last minutes. */
function rangeOf(extent) {
  return extent === null || extent.live ? {} : spanOf(extent);
}
