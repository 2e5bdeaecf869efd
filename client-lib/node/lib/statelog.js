'use strict';

const { performance } = require('node:perf_hooks');
const { debuglog } = require('node:util');

const BURST = 20;
const EACH_MILLIS = 10_000;

const debug = debuglog('hdr-sidecar');

/** @type {import('../index').Logger} */
const usualLogger = {
  info: (message) => debug(message),
  warn: (message) => console.warn(`hdr-sidecar: ${message}`),
};

/**
 * Log lines of the client: one for each change of state. Where states change all the time, 20 lines
 * at once and then one in ten seconds.
 */
class StateLog {
  #logger;
  #now;
  #state = '';
  /** @type {Set<string>} */
  #said = new Set();
  #room = BURST;
  #at;
  #leftOut = 0;

  /**
   * @param {import('../index').Logger} [logger]
   * @param {() => number} [now] milliseconds of a clock that does not jump
   */
  constructor(logger = usualLogger, now = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
    this.#at = now();
  }

  /**
   * Says it if the state is another than before.
   *
   * @param {string} state
   * @param {'info' | 'warn'} level
   * @param {string} message
   */
  enter(state, level, message) {
    if (state !== this.#state) {
      this.#state = state;
      this.#write(level, message);
    }
  }

  /**
   * Warns, the first time only.
   *
   * @param {string} what
   * @param {string} message
   */
  once(what, message) {
    if (!this.#said.has(what)) {
      this.#said.add(what);
      this.#write('warn', message);
    }
  }

  /**
   * Warns each time.
   *
   * @param {string} message
   */
  warn(message) {
    this.#write('warn', message);
  }

  /**
   * @param {'info' | 'warn'} level
   * @param {string} message
   */
  #write(level, message) {
    const now = this.#now();
    this.#room = Math.min(BURST, this.#room + (now - this.#at) / EACH_MILLIS);
    this.#at = now;
    if (this.#room < 1) {
      this.#leftOut++;
      return;
    }
    this.#room--;
    const more = this.#leftOut > 0 ? ` (${this.#leftOut} lines were left out)` : '';
    this.#leftOut = 0;
    try {
      this.#logger[level](message + more);
    } catch {
      this.#leftOut++; // A logger of the application's that fails must not end the delivery.
    }
  }
}

module.exports = { StateLog, usualLogger };
