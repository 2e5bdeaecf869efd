// Steps as they are completed: server-sent events of /api/v1/live. Read with fetch, since an EventSource cannot
// show a token; so reconnecting where it broke off (Last-Event-ID) is done here. Nothing is read while the tab is
// out of sight.

import { ApiError, isCancelled, open, url } from './api.js';
import { EventText } from './event-text.js';

/** A browser has six connections to a host, and the charts need some. */
export const MOST_STREAMS = 3;
/** Told within a stream, whose status was good. */
const STREAM_FAILED = 503;
const AGAIN_MILLIS = [1000, 2000, 4000, 8000];

/**
 * @typedef {{selectors: string[], step: string, percentiles: string}} Wanted
 */

/** The streams of what is open. */
export class LiveFeed {
  #controller = new AbortController();
  #wanted = /** @type {Wanted|null} */ (null);
  #last = new Map();

  /**
   * @param {(selector: string, step: any) => void} onstep
   * @param {(failure: unknown) => void} onfailure nothing comes any more, unless it is a silent sidecar
   */
  constructor(onstep, onfailure) {
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
        await this.#read(response, selector, () => {
          failures = 0;
        });
      } catch (failure) {
        if (isCancelled(failure) || signal.aborted) {
          return;
        }
        if (/** @type {any} */ (failure).status !== undefined) {
          this.onfailure(failure);
          if (/** @type {any} */ (failure).status !== 0) {
            return; // what is refused once is refused again
          }
        }
      }
      await pause(AGAIN_MILLIS[Math.min(failures, AGAIN_MILLIS.length - 1)], signal);
    }
  }

  async #read(response, selector, alive) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventText();
    for (;;) {
      const { value, done } = await reader.read();
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

function pause(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(undefined);
    }, { once: true });
  });
}
