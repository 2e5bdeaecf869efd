// The percentile axis: x = log10(1 / (1 - q)), so that 0, 90, 99, 99.9 ... lie at equal distances, and the
// steps of a distribution on it.
//
// A histogram's quantile function is a staircase: with C values up to and including bucket i, of N in all,
// every quantile in (C(i-1)/N, C(i)/N] has the highest value of bucket i. The line is drawn as that staircase,
// from the counts of the buckets; nothing is interpolated. 1/(1-q) at C is N/(N-C): counts in, no rounding of q.
// The greatest value stands for quantiles above 1 - 1/N, without end on this axis. It gets half of what it stands
// for, up to log10(2N), and the axis ends there: N values say nothing about rarer events.

const NINES = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999, 99.99999999];
const BETWEEN = [25, 75, 95, 99.5, 99.95];

/** @param {number} percentile 0 to below 100 @returns {number} its place on the axis */
export function placeOf(percentile) {
  // 100 - p of a decimal such as 99.999 is not exact; to twelve decimals it is, and no percentile has more.
  return -Math.log10(Number((100 - percentile).toFixed(12)) / 100);
}

/** @param {number} place on the axis, 0 or more @returns {number} the percentile there */
export function percentileAt(place) {
  return 100 * (1 - 10 ** -place);
}

/**
 * @param {number} place on the axis
 * @returns {string} with as many nines as the place has, and one digit more: 99.93
 */
export function percentileText(place) {
  const decimals = Math.max(1, Math.ceil(place) + 0);
  return percentileAt(place).toFixed(Math.min(12, decimals));
}

/**
 * @param {number} end last place on the axis
 * @param {boolean} narrow whether there is room for the powers of ten only
 * @returns {number[]} percentiles to label, in order
 */
export function labelled(end, narrow) {
  const all = narrow ? NINES : [...NINES, ...BETWEEN.filter((p) => p === 75 || p === 95)];
  return all.filter((p) => placeOf(p) <= end + 1e-9).sort((a, b) => a - b);
}

/**
 * @typedef {{lowest: number|bigint, highest: number|bigint, count: number|bigint}} Bucket
 * @typedef {{ends: number[], values: (number|bigint)[], end: number}} Staircase
 *   ends[i] is where on the axis the stair with values[i] ends; the last ends at `end`
 */

/**
 * @param {Bucket[]} buckets in order of value, none empty
 * @param {number|bigint} max greatest value, which the last bucket's edge may be above
 * @returns {Staircase}
 */
export function staircase(buckets, max) {
  let total = 0n;
  for (const bucket of buckets) {
    total += BigInt(bucket.count);
  }
  const end = total === 0n ? 0 : Math.log10(2 * Number(total));
  const ends = [];
  const values = [];
  let left = total;
  for (const bucket of buckets) {
    left -= BigInt(bucket.count);
    ends.push(left === 0n ? end : Math.log10(Number(total) / Number(left)));
    values.push(bucket.highest > max ? max : bucket.highest);
  }
  return { ends, values, end };
}

/**
 * @param {Staircase} stairs
 * @param {number} place on the axis
 * @returns {number|bigint|null} the value of the stair there; null for an empty histogram
 */
export function valueAt(stairs, place) {
  const index = stairIndex(stairs, place);
  return index < 0 ? null : stairs.values[index];
}

/** @param {Staircase} stairs @param {number} place @returns {number} index of the first stair that reaches the place; -1 if there is none */
export function stairIndex(stairs, place) {
  let low = 0;
  let high = stairs.ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stairs.ends[middle] < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return high;
}
