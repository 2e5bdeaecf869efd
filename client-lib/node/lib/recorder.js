'use strict';

const { performance } = require('node:perf_hooks');
const { types } = require('node:util');
const { Counters } = require('./counters');
const { PER_MILLISECOND, SeriesKey, correctedLabels } = require('./series');

const TRACE_ID = /^[!-~]{1,64}$/;
const SPAN_ID = /^[!-~]{0,32}$/;

/** One series: what it is called, and what was counted of it. */
class Series {
  /** @type {import('./counts').Exemplar | undefined} */
  #exemplar;
  #traced = -1;

  /**
   * @param {SeriesKey} key
   * @param {import('./series').Definition} definition
   * @param {import('./health').Tally} tally
   * @param {((series: Series) => void) | undefined} onFirst called for the first value after a
   *     harvest; without it, nothing is counted
   */
  constructor(key, definition, tally, onFirst) {
    this.key = key;
    this.definition = definition;
    this.createdMillis = Date.now();
    const first = onFirst === undefined ? undefined : () => onFirst(this);
    this.counters = new Counters(definition.layout, definition.highest, tally, first);
  }

  /**
   * Keeps the exemplar of the largest value.
   *
   * @param {unknown} value
   * @param {unknown} traceId
   * @param {unknown} spanId
   */
  trace(value, traceId, spanId) {
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : NaN;
    const span = spanId ?? '';
    if (number > this.#traced && isId(traceId, TRACE_ID) && isId(span, SPAN_ID)) {
      this.#traced = number;
      const highest = this.definition.highest;
      const whole = number >= highest ? highest : BigInt(Math.max(0, Math.floor(number)));
      const millis = Math.max(0, Date.now());
      this.#exemplar = { value: whole, millis, traceId, spanId: span };
    }
  }

  harvest() {
    const exemplar = this.#exemplar;
    this.#exemplar = undefined;
    this.#traced = -1;
    return this.counters.harvest(exemplar);
  }
}

/**
 * @param {unknown} text
 * @param {RegExp} form
 * @returns {text is string}
 */
function isId(text, form) {
  return typeof text === 'string' && form.test(text);
}

/**
 * Calls a function, and `end` when it has returned, has thrown, or its promise is settled.
 *
 * @template T
 * @param {() => T} action
 * @param {() => void} end
 * @returns {T}
 */
function timed(action, end) {
  let result;
  try {
    result = action();
  } catch (error) {
    end();
    throw error;
  }
  if (!types.isPromise(result)) {
    end();
    return result;
  }
  // What comes back is the promise behind, so that a rejection is still the caller's to handle.
  return /** @type {T} */ (result.finally(end));
}

/** Counts the values of one series. See index.d.ts. */
class Recorder {
  #series;
  #counters;
  #makeCorrected;
  /** @type {Series | undefined} */
  #corrected;
  /** @type {number | undefined} */
  #perMillisecond;

  /**
   * @param {Series} series
   * @param {(series: Series) => Series} makeCorrected the series of estimates beside it; never fails
   */
  constructor(series, makeCorrected) {
    this.#series = series;
    this.#counters = series.counters;
    this.#makeCorrected = makeCorrected;
    this.#perMillisecond = PER_MILLISECOND.get(series.definition.unit);
  }

  get name() {
    return this.#series.key.name;
  }

  get labels() {
    return Object.fromEntries(this.#series.key.labels);
  }

  /**
   * @param {number | bigint} value
   * @param {string | null} [traceId]
   * @param {string | null} [spanId]
   */
  record(value, traceId, spanId) {
    this.#counters.record(value);
    if (traceId !== undefined && traceId !== null) {
      this.#series.trace(value, traceId, spanId);
    }
  }

  /**
   * @param {number | bigint} value
   * @param {number | bigint} expectedInterval
   */
  recordWithExpectedInterval(value, expectedInterval) {
    this.#counters.record(value);
    this.#corrected ??= this.#makeCorrected(this.#series);
    this.#corrected.counters.record(value);
    this.#corrected.counters.backFill(value, expectedInterval);
  }

  /** @returns {() => void} */
  start() {
    const perMillisecond = this.#timeUnit();
    const counters = this.#counters;
    const from = performance.now();
    let isOver = false;
    return () => {
      if (!isOver) {
        isOver = true;
        counters.record((performance.now() - from) * perMillisecond);
      }
    };
  }

  /**
   * @template T
   * @param {() => T} action
   * @returns {T}
   */
  time(action) {
    return timed(action, this.start());
  }

  /**
   * @template {(...args: any[]) => any} F
   * @param {F} action
   * @returns {F}
   */
  timed(action) {
    if (types.isGeneratorFunction(action)) {
      throw new TypeError('a call of a generator function cannot be timed: it makes a generator, and no more');
    }
    this.#timeUnit();
    const recorder = this;
    /**
     * @this {unknown}
     * @param {unknown[]} args
     */
    function timedFunction(...args) {
      return recorder.time(() => action.apply(this, args));
    }
    Object.defineProperty(timedFunction, 'name', { value: action.name, configurable: true });
    return /** @type {F} */ (/** @type {unknown} */ (timedFunction));
  }

  #timeUnit() {
    if (this.#perMillisecond === undefined) {
      throw new TypeError(`${this.#series.key} does not count time: ${this.#series.definition.unit}`);
    }
    return this.#perMillisecond;
  }
}

/** @param {SeriesKey} key */
function correctedKey(key) {
  return new SeriesKey(key.name, correctedLabels(key.labels));
}

module.exports = { Recorder, Series, correctedKey, timed };
