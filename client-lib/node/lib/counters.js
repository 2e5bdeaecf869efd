'use strict';

const { Counts } = require('./counts');
const { CUT, TWO_32 } = require('./layout');

const PAGE_BITS = 9;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** What stands for a page in which nothing was counted yet; nobody writes it. */
const BLANK = new Float64Array(1 << PAGE_BITS);

/** Values below are added up in a number without rounding; those above, 52 days in ns, are rare. */
const TWO_52 = 2 ** 52;

// In `#figures`.
const SUM_LOW = 0;
const SUM_HIGH = 1;
const SMALLEST = 2;
const LARGEST = 3;

/** Values that were missed and are counted one by one; more of them go bucket by bucket. */
const FEW = 16;

/** Buckets that one back-fill may go through; each takes nanoseconds of the event loop. */
const MOST_BUCKETS = 65_536;
const MOST_MISSING = 2 ** 32;

/**
 * @param {unknown} value
 * @returns {number} NaN for what is no number
 */
function asNumber(value) {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : NaN;
}

/**
 * Counts the values of one series, and hands over what was counted, each value once.
 *
 * Counters are in pages of HdrHistogram's bucket order, made when a value first falls into one. The
 * list of buckets that are not 0 makes a harvest as cheap as what was recorded is diverse. The sum
 * is kept in two numbers, the lower of which stays below 2^52, so adding to it rounds nothing off.
 * Neither makes an object for a value. A BigInt is made for values of 2^52 and more alone, and when
 * an interval ends.
 */
class Counters {
  /** @type {Float64Array[]} */
  #pages;
  #touched = new Int32Array(64);
  #touchedSize = 0;
  #figures = new Float64Array(4);
  #bits;
  #half;
  #unit;
  #limit;
  /** @type {bigint} */
  #highest;
  #layout;
  #tally;
  #onFirst;
  #isWaiting = false;

  // Of values that `#figures` cannot hold.
  #bigSum = 0n;
  /** @type {bigint | undefined} */
  #bigSmallest;
  /** @type {bigint | undefined} */
  #bigLargest;

  /**
   * @param {import('./layout').Layout} layout
   * @param {bigint} highest highest trackable value
   * @param {import('./health').Tally} tally where values are counted that are out of range or none
   * @param {(() => void) | undefined} onFirst called for the first value after a harvest; must not
   *     fail. Without it, nothing is counted
   */
  constructor(layout, highest, tally, onFirst) {
    this.#layout = layout;
    this.#bits = layout.bits;
    this.#half = layout.half;
    this.#unit = layout.unit;
    this.#highest = highest;
    this.#limit = onFirst === undefined ? -1 : Math.min(Number(highest), TWO_52 - 1);
    this.#tally = tally;
    this.#onFirst = onFirst;
    const pages = (layout.indexOfBig(highest) >> PAGE_BITS) + 1;
    this.#pages = new Array(pages).fill(BLANK);
    this.#clear();
  }

  #clear() {
    this.#figures.set([0, 0, Infinity, -1]);
    this.#bigSum = 0n;
    this.#bigSmallest = undefined;
    this.#bigLargest = undefined;
    this.#touchedSize = 0;
    this.#isWaiting = false;
  }

  /**
   * Counts a value. Never fails, whatever it is.
   *
   * @param {unknown} value
   */
  record(value) {
    if (typeof value === 'number' && value >= 0 && value <= this.#limit) {
      const whole = Math.floor(value);
      const length = whole < TWO_32 ? 32 - Math.clz32(whole) : 64 - Math.clz32(whole / TWO_32);
      const above = length - this.#bits;
      const bucket = above > 0 ? above : 0;
      const index = (bucket << this.#half) + ((whole * CUT[bucket + this.#unit]) | 0);
      let page = this.#pages[index >> PAGE_BITS];
      if (page[index & PAGE_MASK] === 0) {
        page = this.#touch(index);
      }
      page[index & PAGE_MASK] += 1;
      const figures = this.#figures;
      const sum = figures[SUM_LOW] + whole;
      if (sum < TWO_52) {
        figures[SUM_LOW] = sum;
      } else {
        figures[SUM_LOW] = sum - TWO_52;
        figures[SUM_HIGH] += 1;
      }
      if (whole < figures[SMALLEST]) {
        figures[SMALLEST] = whole;
      }
      if (whole > figures[LARGEST]) {
        figures[LARGEST] = whole;
      }
    } else {
      this.#recordOther(value);
    }
  }

  /**
   * The page of a bucket that is 0, which will not be from now on.
   *
   * @param {number} index
   */
  #touch(index) {
    const number = index >> PAGE_BITS;
    if (this.#pages[number] === BLANK) {
      this.#pages[number] = new Float64Array(1 << PAGE_BITS);
    }
    if (this.#touchedSize === this.#touched.length) {
      const longer = new Int32Array(2 * this.#touchedSize);
      longer.set(this.#touched);
      this.#touched = longer;
    }
    this.#touched[this.#touchedSize++] = index;
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#onFirst?.();
    }
    return this.#pages[number];
  }

  /** @param {unknown} value one that is not within the range, or no number */
  #recordOther(value) {
    if (this.#onFirst === undefined) {
      return;
    }
    if ((typeof value !== 'number' && typeof value !== 'bigint') || value !== value) {
      this.#tally.lose('not_a_number', 1);
    } else if (value <= -1) {
      this.#tally.clampedNegative++;
      this.record(0);
    } else if (value < 0) {
      this.record(0); // a fraction, which is cut off
    } else if (value > this.#highest) {
      this.#tally.clampedTooLarge++;
      this.#recordWhole(this.#highest);
    } else {
      this.#recordWhole(typeof value === 'bigint' ? value : BigInt(Math.floor(value)));
    }
  }

  /** @param {bigint} value within the range */
  #recordWhole(value) {
    if (value < TWO_52) {
      this.record(Number(value));
      return;
    }
    this.#add(this.#layout.indexOfBig(value), 1);
    this.#bigSum += value;
    if (this.#bigSmallest === undefined || value < this.#bigSmallest) {
      this.#bigSmallest = value;
    }
    if (this.#bigLargest === undefined || value > this.#bigLargest) {
      this.#bigLargest = value;
    }
  }

  /**
   * @param {number} index
   * @param {number} count
   */
  #add(index, count) {
    let page = this.#pages[index >> PAGE_BITS];
    if (page[index & PAGE_MASK] === 0) {
      page = this.#touch(index);
    }
    page[index & PAGE_MASK] += count;
  }

  /**
   * Counts value - interval, value - 2 intervals, ... down to one interval: what a caller that
   * starts each interval, and waits for its answers, failed to record during the value.
   *
   * Source: HdrHistogram, `AbstractHistogram.recordValueWithExpectedInterval`.
   *
   * @param {unknown} value
   * @param {unknown} interval nothing is missed when it is 0 or less, or no number
   */
  backFill(value, interval) {
    const each = Math.floor(asNumber(interval));
    const end = Math.floor(Math.min(asNumber(value), Number(this.#highest)));
    if (this.#onFirst === undefined || !(each > 0 && end >= 2 * each)) {
      return;
    }
    const missing = Math.floor(end / each) - 1;
    const first = (end % each) + each;
    const last = end - each;
    if (missing <= FEW && end < TWO_52) {
      for (let at = first; at <= last; at += each) {
        this.record(at);
      }
    } else if (end >= TWO_52 || missing > MOST_MISSING || this.#span(first, last) > MOST_BUCKETS) {
      this.#tally.lostBackFill += missing;
    } else {
      this.#fill(first, last, each);
      this.#bigSum += ((BigInt(first) + BigInt(last)) * BigInt(missing)) / 2n;
      this.#figures[SMALLEST] = Math.min(this.#figures[SMALLEST], first);
      this.#figures[LARGEST] = Math.max(this.#figures[LARGEST], last);
    }
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #span(first, last) {
    return this.#layout.index(last) - this.#layout.index(first);
  }

  /**
   * @param {number} first
   * @param {number} last
   * @param {number} each
   */
  #fill(first, last, each) {
    for (let at = first; at <= last; ) {
      const index = this.#layout.index(at);
      const end = this.#layout.lowestAt(index) + 2 ** this.#layout.shift(index) - 1;
      const here = Math.floor((Math.min(end, last) - at) / each) + 1;
      this.#add(index, here);
      at += here * each;
    }
  }

  /**
   * Takes what was recorded since the last harvest.
   *
   * @param {import('./counts').Exemplar | undefined} exemplar
   * @returns {Counts | undefined} undefined for nothing
   */
  harvest(exemplar) {
    if (this.#touchedSize === 0) {
      return undefined;
    }
    const indexes = this.#touched.slice(0, this.#touchedSize).sort();
    const counts = new Float64Array(indexes.length);
    for (let at = 0; at < indexes.length; at++) {
      const page = this.#pages[indexes[at] >> PAGE_BITS];
      counts[at] = page[indexes[at] & PAGE_MASK];
      page[indexes[at] & PAGE_MASK] = 0;
    }
    const [low, high, smallest, largest] = this.#figures;
    const sum = BigInt(low) + BigInt(high) * BigInt(TWO_52) + this.#bigSum;
    const least = largest < 0 ? /** @type {bigint} */ (this.#bigSmallest) : BigInt(smallest);
    const most = this.#bigLargest ?? BigInt(largest);
    this.#clear();
    return new Counts(indexes, counts, sum, least, most, exemplar);
  }

  /** Whether something was recorded since the last harvest. */
  get isWaiting() {
    return this.#isWaiting;
  }

  /** How many values were. */
  get waiting() {
    let total = 0;
    for (const index of this.#touched.subarray(0, this.#touchedSize)) {
      total += this.#pages[index >> PAGE_BITS][index & PAGE_MASK];
    }
    return total;
  }
}

module.exports = { Counters };
