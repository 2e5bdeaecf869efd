'use strict';

const { performance } = require('node:perf_hooks');

const NANOS = 1e6;

/**
 * Measures delays of the event loop, as jHiccup measures pauses of a JVM: a timer with nothing to do
 * looks what time it is, and what it is late is what any callback would have been held. From that
 * the shortest such delay is subtracted, which is what timers of whole milliseconds cost.
 *
 * `monitorEventLoopDelay` of `perf_hooks` measures the same, and hands out percentiles alone, which
 * cannot be added up.
 *
 * Source: jHiccup 2.0, `HiccupMeter.HiccupRecorder`.
 */
class HiccupMeter {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * Starts measuring.
   *
   * @param {number} resolutionMillis
   * @param {(hiccupNanos: number, expectedIntervalNanos: number) => void} sink never fails
   */
  constructor(resolutionMillis, sink) {
    let last = performance.now();
    let shortest = Infinity;
    const timer = setTimeout(() => {
      const now = performance.now();
      const interval = now - last;
      last = now;
      shortest = Math.min(shortest, interval);
      sink((interval - shortest) * NANOS, resolutionMillis * NANOS);
      timer.refresh();
    }, resolutionMillis);
    timer.unref();
    this.#timer = timer;
  }

  close() {
    clearTimeout(this.#timer);
  }
}

module.exports = { HiccupMeter };
