'use strict';

/** A series as it is sent: its id, and what waits of it. */
class Outgoing {
  /** @type {import('./counts').Counts | undefined} */
  waiting;
  start = 0;
  end = 0;
  // Numbers of connections; before the first it is 0.
  announcedOn = -1;
  refusedOn = -1;
  refusal = '';

  /**
   * @param {number} id
   * @param {import('./recorder').Series} series
   */
  constructor(id, series) {
    this.id = id;
    this.series = series;
  }

  /**
   * Adds an interval to what waits; returns whether something did before.
   *
   * @param {import('./counts').Counts} counts
   * @param {number} start
   * @param {number} end
   */
  wait(counts, start, end) {
    if (this.waiting === undefined) {
      this.waiting = counts;
      this.start = start;
      this.end = end;
      return false;
    }
    this.waiting = this.waiting.plus(counts);
    this.start = Math.min(this.start, start);
    this.end = Math.max(this.end, end);
    return true;
  }
}

module.exports = { Outgoing };
