'use strict';

const { performance } = require('node:perf_hooks');
const { Config, fromEnvironment } = require('./config');
const ends = require('./ends');
const { Engine, resultOf } = require('./engine');
const { Tally, healthOf } = require('./health');
const { HiccupMeter } = require('./hiccup');
const { Recorder, Series, correctedKey } = require('./recorder');
const { Definition, MAX_LABELS, SeriesKey, joined, labelsOf, overflowLabels } = require('./series');
const { StateLog } = require('./statelog');

const HICCUPS = 'node_hiccup';
const RAW_HICCUPS = 'node_hiccup_raw';
const MAX_CLOSE_MILLIS = 600_000;

/** Delivers what its recorders count to the sidecar, each value once. See index.d.ts. */
class Client {
  #config;
  #tally = new Tally();
  #log;
  /** @type {Map<string, { recorder: Recorder, definition: Definition }>} */
  #recorders = new Map();
  /** @type {Map<string, Recorder>} */
  #overflow = new Map();
  #seriesCount = 0;
  /** Those that have something since they were sampled. @type {Series[]} */
  #recorded = [];
  /** @type {Engine | undefined} */
  #engine;
  /** @type {HiccupMeter | undefined} */
  #hiccups;

  /** @param {import('../index').ClientOptions} [options] */
  constructor(options = {}) {
    this.#config = new Config(options);
    this.#log = new StateLog(this.#config.logger);
    if (this.#config.enabled && this.#config.hiccups) {
      this.#measureHiccups();
    }
  }

  /**
   * @param {import('../index').ClientOptions} [options]
   * @param {Readonly<Record<string, string | undefined>>} [environment]
   */
  static fromEnvironment(options = {}, environment = process.env) {
    return new this(fromEnvironment(options, environment));
  }

  /**
   * @param {string} name
   * @param {import('../index').Labels | null} [labels]
   * @param {import('../index').RecorderOptions} [options]
   */
  recorder(name, labels, options) {
    const key = new SeriesKey(name, labelsOf(labels ?? {}));
    const definition = new Definition(options);
    const known = this.#recorders.get(key.text);
    if (known === undefined) {
      return this.#create(key, definition);
    }
    if (known.definition.text !== definition.text) {
      throw new RangeError(`series ${key} exists with ${known.definition.text}, not with ${definition.text}`);
    }
    return known.recorder;
  }

  /**
   * @param {SeriesKey} key
   * @param {Definition} definition
   */
  #create(key, definition) {
    const every = joined(key.labels, this.#config.common);
    if (every.length >= MAX_LABELS) {
      // One is left for `corrected`, as recording must not fail.
      throw new RangeError(`at most ${MAX_LABELS - 1} labels, common ones included: ${key}`);
    }
    if (key.labels.some(([name, value]) => name === 'corrected' && value === 'expected_interval')) {
      throw new RangeError(`label corrected="expected_interval" is set by recordWithExpectedInterval: ${key}`);
    }
    if (this.#recorders.size < this.#config.maxSeries) {
      const recorder = this.#newRecorder(key, definition);
      this.#recorders.set(key.text, { recorder, definition });
      return recorder;
    }
    this.#tally.overflowedLookups++;
    const shared = new SeriesKey(key.name, overflowLabels(key.labels));
    // Those of other options are apart, so that each lookup gets what it asked for.
    const id = `${shared.text} ${definition.text}`;
    const present = this.#overflow.get(id) ?? this.#newRecorder(shared, definition);
    this.#overflow.set(id, present);
    return present;
  }

  /**
   * @param {SeriesKey} key
   * @param {Definition} definition
   */
  #newRecorder(key, definition) {
    return new Recorder(this.#newSeries(key, definition), (raw) =>
      this.#newSeries(correctedKey(raw.key), raw.definition),
    );
  }

  /**
   * @param {SeriesKey} key
   * @param {Definition} definition
   */
  #newSeries(key, definition) {
    this.#seriesCount++;
    const onFirst = this.#config.enabled ? this.#onFirst : undefined;
    return new Series(key, definition, this.#tally, onFirst);
  }

  /** @param {Series} series that has its first value since it was sampled; must not fail */
  #onFirst = (series) => {
    this.#recorded.push(series);
    if (this.#engine === undefined) {
      this.#start();
    }
  };

  #start() {
    ends.watch(this);
    this.#engine = new Engine({
      config: this.#config,
      tally: this.#tally,
      log: this.#log,
      seriesCount: () => this.#seriesCount,
      takeRecorded: () => {
        const taken = this.#recorded;
        this.#recorded = [];
        return taken;
      },
      ended: () => {
        this.#engine = undefined;
        if (this.#recorded.length > 0) {
          this.#start(); // Recorded when this one had said goodbye already.
        } else {
          ends.forget(this);
        }
      },
    });
  }

  #measureHiccups() {
    const { hiccupResolutionMillis: resolution, common } = this.#config;
    const raw = new SeriesKey(RAW_HICCUPS, []);
    const corrected = correctedKey(new SeriesKey(HICCUPS, []));
    joined(corrected.labels, common);
    const definition = new Definition({ help: 'How late a timer of the event loop was.' });
    const one = this.#newSeries(raw, definition).counters;
    const other = this.#newSeries(corrected, definition).counters;
    this.#hiccups = new HiccupMeter(resolution, (hiccup, interval) => {
      one.record(hiccup);
      other.record(hiccup);
      other.backFill(hiccup, interval);
    });
  }

  /**
   * @param {number} [timeoutMillis]
   * @returns {Promise<import('../index').DeliveryResult>}
   */
  async close(timeoutMillis = this.#config.closeTimeoutMillis) {
    if (typeof timeoutMillis !== 'number' || !(timeoutMillis >= 0 && timeoutMillis <= MAX_CLOSE_MILLIS)) {
      throw new RangeError(`timeout must be 0 to ${MAX_CLOSE_MILLIS} ms: ${String(timeoutMillis)}`);
    }
    this.#hiccups?.close();
    const deadline = performance.now() + timeoutMillis;
    while (this.#engine !== undefined) {
      const result = await this.#engine.close(deadline);
      if (result !== undefined) {
        return result;
      }
    }
    return resultOf(0, 0);
  }

  /** Before Node 20.4 there is no such symbol, and this is a method that nobody calls. */
  async [Symbol.asyncDispose]() {
    await this.close();
  }

  health() {
    const now = { connected: false, series: this.#seriesCount, pending: 0, flying: 0 };
    return this.#engine?.health() ?? healthOf(this.#tally, now);
  }

  /** For `ends`: the process ends now, and nothing can be waited for. */
  endNow() {
    this.#hiccups?.close();
    this.#engine?.endNow();
  }
}

module.exports = { Client };
