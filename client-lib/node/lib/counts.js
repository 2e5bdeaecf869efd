'use strict';

/**
 * A value that was recorded with a trace, and when, in milliseconds since the epoch.
 *
 * @typedef {{ value: bigint, millis: number, traceId: string, spanId: string }} Exemplar
 */

/**
 * The exemplar of the larger value.
 *
 * @param {Exemplar | undefined} one
 * @param {Exemplar | undefined} other
 */
function larger(one, other) {
  return one === undefined || (other !== undefined && other.value >= one.value) ? other : one;
}

/** What a series recorded in some time: buckets, and what is exact beside them. Immutable. */
class Counts {
  /**
   * @param {Int32Array} indexes of buckets, ascending
   * @param {Float64Array} counts how many values each of them has
   * @param {bigint} sum
   * @param {bigint} smallest
   * @param {bigint} largest
   * @param {Exemplar | undefined} exemplar
   */
  constructor(indexes, counts, sum, smallest, largest, exemplar) {
    this.indexes = indexes;
    this.counts = counts;
    this.sum = sum;
    this.smallest = smallest;
    this.largest = largest;
    this.exemplar = exemplar;
    this.total = counts.reduce((total, count) => total + count, 0);
  }

  /**
   * Both together, without loss.
   *
   * @param {Counts} other of the same layout
   */
  plus(other) {
    const most = this.indexes.length + other.indexes.length;
    const indexes = new Int32Array(most);
    const counts = new Float64Array(most);
    let size = 0;
    let mine = 0;
    let theirs = 0;
    while (mine < this.indexes.length || theirs < other.indexes.length) {
      const left = mine < this.indexes.length ? this.indexes[mine] : Infinity;
      const right = theirs < other.indexes.length ? other.indexes[theirs] : Infinity;
      indexes[size] = Math.min(left, right);
      if (left <= right) {
        counts[size] += this.counts[mine++];
      }
      if (right <= left) {
        counts[size] += other.counts[theirs++];
      }
      size++;
    }
    return new Counts(
      indexes.slice(0, size),
      counts.slice(0, size),
      this.sum + other.sum,
      this.smallest < other.smallest ? this.smallest : other.smallest,
      this.largest > other.largest ? this.largest : other.largest,
      larger(this.exemplar, other.exemplar),
    );
  }
}

module.exports = { Counts };
