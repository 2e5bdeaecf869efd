// Steps as they are completed: server-sent events of /api/v1/live. Read with fetch, since an EventSource cannot
// show a token; so reconnecting where it broke off (Last-Event-ID) is done here. Nothing is read while the tab is
// out of sight.

import { ApiError, isCancelled, open, url } from './api.js';
import { EventText } from './event-text.js';

/** A browser has six connections to a host, and the charts need some. */
export const MOST_STREAMS = 3;
/** Told within a stream, whose status was good. */
const STREAM_FAILED = 500;
/** As if it were busy: if it is gone, the next attempt says so. */
const BROKEN_OFF = 503;
const AGAIN_MILLIS = [1000, 2000, 4000, 8000];

/**
 * @typedef {{selectors: string[], step: string, percentiles: string}} Wanted
 */

/** The streams of what is open. */
export class LiveFeed {
  #controller = new AbortController();
  #wanted = /** @type {Wanted|null} */ (null);
  #last = new Map();
  /** Selectors that a stream was opened of: that there is no such series is then for a while, until clients are back. */
  #worked = new Set();

  /**
   * @param {(selector: string, step: any) => void} onstep
   * @param {(failure: unknown) => void} onfailure nothing comes any more, unless it is a silent sidecar; or a mistake of ours
   * @param {number[]} [againMillis] how long it waits before it tries again, the last for all that follow
   */
  constructor(onstep, onfailure, againMillis = AGAIN_MILLIS) {
    this.againMillis = againMillis;
    this.onstep = onstep;
    this.onfailure = onfailure;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#controller.abort() : this.#run()));
  }

  /** @param {Wanted|null} wanted null for nothing; the same as before changes nothing */
  want(wanted) {
    if (JSON.stringify(wanted) === JSON.stringify(this.#wanted)) {
      return;
    }
    this.#wanted = wanted;
    this.#last.clear();
    this.#run();
  }

  #run() {
    this.#controller.abort();
    this.#controller = new AbortController();
    const wanted = this.#wanted;
    if (wanted !== null && !document.hidden) {
      const { signal } = this.#controller;
      wanted.selectors.slice(0, MOST_STREAMS).forEach((selector) => this.#follow(selector, wanted, signal));
    }
  }

  async #follow(selector, wanted, signal) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const address = url('api/v1/live', { series: selector, step: wanted.step, percentiles: wanted.percentiles });
        const last = this.#last.get(selector);
        const response = await open(address, signal, last === undefined ? {} : { 'Last-Event-ID': last });
        this.#worked.add(selector);
        await this.#read(response, selector, () => {
          failures = 0;
        });
      } catch (failure) {
        if (isCancelled(failure) || signal.aborted) {
          return;
        }
        if (!passes(failure, this.#worked.has(selector))) {
          this.onfailure(failure);
          return; // what is refused once is refused again, and a mistake made again
        }
        if (failure.status === 0) {
          this.onfailure(failure);
        }
      }
      await pause(this.againMillis[Math.min(failures, this.againMillis.length - 1)], signal);
    }
  }

  async #read(response, selector, alive) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventText();
    for (;;) {
      const { value, done } = await reader.read().catch(brokenOff);
      if (done) {
        return;
      }
      for (const event of events.add(value)) {
        alive();
        if (event.id !== '') {
          this.#last.set(selector, event.id);
        }
        if (event.type === 'step') {
          this.onstep(selector, event.data);
        } else if (event.type === 'error') {
          throw new ApiError(STREAM_FAILED, event.data.error);
        }
      }
    }
  }
}

/**
 * @param {any} failure
 * @param {boolean} worked whether there was a stream of this before
 * @returns {boolean} whether it passes by itself: a sidecar that is silent, busy, ending or beginning
 */
export function passes(failure, worked) {
  return (
    failure instanceof ApiError &&
    (failure.status === 0 || failure.status === 503 || (failure.status === 404 && worked))
  );
}

/** Of a stream; what is wrong with its text is another matter. */
function brokenOff(failure) {
  throw isCancelled(failure) ? failure : new ApiError(BROKEN_OFF, 'The stream broke off.');
}

function pause(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve(undefined);
      },
      { once: true },
    );
  });
}
