'use strict';

const { performance } = require('node:perf_hooks');
const { setImmediate: turn, setTimeout: sleep } = require('node:timers/promises');
const { timed } = require('./recorder');

const NANOS = 1e6;

/** Timers are of whole milliseconds; what is sooner is waited for turn by turn of the event loop. */
const TIMER_MILLIS = 2;

/** Response, service and wait time of calls with an intended start. See index.d.ts. */
class ScheduledRecorder {
  #response;
  #service;
  #wait;

  /**
   * @param {import('../index').Client} client
   * @param {string} name
   * @param {import('../index').Labels | null} [labels]
   * @param {import('../index').RecorderOptions} [options]
   */
  constructor(client, name, labels, options) {
    if (labels?.kind) {
      throw new RangeError('label kind tells response, service and wait time apart: leave it out');
    }
    if ((options?.unit ?? 'ns') !== 'ns') {
      throw new RangeError(`scheduled times are counted in nanoseconds, not ${String(options?.unit)}`);
    }
    /** @param {string} kind */
    const recorder = (kind) => client.recorder(name, { ...labels, kind }, options);
    this.#response = recorder('response');
    this.#service = recorder('service');
    this.#wait = recorder('wait');
  }

  /**
   * @param {number} intendedStart
   * @returns {() => void}
   */
  begin(intendedStart) {
    let start = performance.now();
    return () => {
      if (start >= 0) {
        this.record(intendedStart, start, performance.now());
        start = -1; // Called again, it would count twice.
      }
    };
  }

  /**
   * @template T
   * @param {number} intendedStart
   * @param {() => T} action
   * @returns {T}
   */
  time(intendedStart, action) {
    return timed(action, this.begin(intendedStart));
  }

  /**
   * @param {number} intendedStart
   * @param {number} actualStart
   * @param {number} end
   */
  record(intendedStart, actualStart, end) {
    // Whole nanoseconds first, so that response = wait + service.
    const waited = Math.max(0, between(intendedStart, actualStart));
    const served = between(actualStart, end);
    this.#wait.record(waited);
    this.#service.record(served);
    this.#response.record(waited + Math.max(0, served));
  }
}

/**
 * @param {number} from
 * @param {number} to
 */
function between(from, to) {
  return typeof from === 'number' && typeof to === 'number' ? Math.round((to - from) * NANOS) : NaN;
}

/**
 * @param {number} perSecond
 * @param {number} calls
 */
function check(perSecond, calls) {
  if (typeof perSecond !== 'number' || !(perSecond >= 1e-9 && perSecond <= 1e9)) {
    throw new RangeError(`calls per second must be 1e-9 to 1e9: ${String(perSecond)}`);
  }
  if (typeof calls !== 'number' || !(calls >= 0)) {
    throw new RangeError(`calls must be 0 or more: ${String(calls)}`);
  }
}

/**
 * A generator of numbers from 0 to 1, the same for the same seed. Source: mulberry32, in the public
 * domain, by Tommy Ettinger.
 *
 * @param {number} seed
 */
function chance(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When calls are meant to start, whatever becomes of those before. See index.d.ts. */
class Schedule {
  #starts;
  #calls;

  /**
   * @param {() => Generator<number, void>} starts milliseconds, without end
   * @param {number} calls
   */
  constructor(starts, calls) {
    this.#starts = starts;
    this.#calls = calls;
  }

  /**
   * @param {number} perSecond
   * @param {{ calls?: number }} [options]
   */
  static fixedRate(perSecond, { calls = Infinity } = {}) {
    check(perSecond, calls);
    return new Schedule(function* () {
      for (let number = 0; ; number++) {
        yield (number * 1000) / perSecond;
      }
    }, calls);
  }

  /**
   * @param {number} perSecond
   * @param {{ calls?: number, seed?: number }} [options]
   */
  static poisson(perSecond, { calls = Infinity, seed } = {}) {
    check(perSecond, calls);
    return new Schedule(function* () {
      const random = seed === undefined ? Math.random : chance(seed);
      for (let at = 0; ; ) {
        at -= (Math.log(1 - random()) / perSecond) * 1000;
        yield at;
      }
    }, calls);
  }

  /** @returns {Generator<number, void>} */
  *offsets() {
    let number = 0;
    if (this.#calls > 0) {
      for (const offset of this.#starts()) {
        yield offset;
        if (++number >= this.#calls) {
          return;
        }
      }
    }
  }

  /** @returns {AsyncGenerator<number, void>} */
  async *[Symbol.asyncIterator]() {
    const begun = performance.now();
    for (const offset of this.offsets()) {
      const intended = begun + offset;
      for (let early = intended - performance.now(); early > 0; early = intended - performance.now()) {
        await (early > TIMER_MILLIS ? sleep(Math.min(early - 1, 2 ** 30)) : turn());
      }
      yield intended;
    }
  }
}

module.exports = { Schedule, ScheduledRecorder };
