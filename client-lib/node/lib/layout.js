'use strict';

/** 2^-n. Multiplying by it is exact, as only the exponent of a number changes. */
const CUT = Float64Array.from({ length: 64 }, (_, shift) => 2 ** -shift);

const TWO_32 = 2 ** 32;

/**
 * Bits of a whole number, 0 for 0.
 *
 * @param {number} value from 0 to 2^53 - 1
 */
function bitLength(value) {
  return value < TWO_32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / TWO_32);
}

/**
 * HdrHistogram takes this logarithm in floating point, which rounds up just below 2^48 and above.
 *
 * @param {number} lowest
 */
function unitMagnitude(lowest) {
  return Math.max(bitLength(lowest) - 1, Math.floor(Math.log(lowest) / Math.log(2)));
}

/** HdrHistogram's bucket layout, for a lowest discernible value and significant digits. Immutable. */
class Layout {
  /**
   * @param {number} lowest 1 or more
   * @param {number} digits 0 to 5
   * @throws {RangeError} when there is no such layout
   */
  constructor(lowest, digits) {
    if (!Number.isInteger(digits) || digits < 0 || digits > 5) {
      throw new RangeError(`digits must be a whole number from 0 to 5: ${String(digits)}`);
    }
    if (!Number.isSafeInteger(lowest) || lowest < 1) {
      throw new RangeError(`lowest must be a whole number from 1 to 2^53 - 1: ${String(lowest)}`);
    }
    this.lowest = lowest;
    this.digits = digits;
    /** Bits of a value that no bucket tells apart. */
    this.unit = unitMagnitude(lowest);
    const subBucketBits = bitLength(2 * 10 ** digits - 1);
    /** Bits of values in the first bucket of HdrHistogram, in which all keep all of theirs. */
    this.bits = subBucketBits + this.unit;
    /** Each further one has 2^half buckets of ours. */
    this.half = subBucketBits - 1;
    if (this.bits > 62) {
      throw new RangeError(`lowest is too large for ${digits} significant digits: ${lowest}`);
    }
  }

  /**
   * The number of the bucket of a value.
   *
   * @param {number} value whole, from 0 to 2^53 - 1
   */
  index(value) {
    const bucket = Math.max(0, bitLength(value) - this.bits);
    return (bucket << this.half) + Math.trunc(value * CUT[bucket + this.unit]);
  }

  /**
   * The same of a value that no number holds.
   *
   * @param {bigint} value from 0 to 2^62
   */
  indexOfBig(value) {
    const bucket = Math.max(0, value.toString(2).length - this.bits);
    return (bucket << this.half) + Number(value >> BigInt(bucket + this.unit));
  }

  /**
   * How many low bits of a value a bucket does not tell apart.
   *
   * @param {number} index
   */
  shift(index) {
    return Math.max((index >> this.half) - 1, 0) + this.unit;
  }

  /**
   * The lowest value of a bucket. A number holds it, as it has few bits that are not 0.
   *
   * @param {number} index
   */
  lowestAt(index) {
    const shift = this.shift(index);
    return (index - ((shift - this.unit) << this.half)) * 2 ** shift;
  }

  /**
   * The highest value of a bucket.
   *
   * @param {number} index
   */
  highestAt(index) {
    return BigInt(this.lowestAt(index)) + (1n << BigInt(this.shift(index))) - 1n;
  }
}

module.exports = { CUT, Layout, TWO_32 };
