'use strict';

const { deflateSync } = require('node:zlib');
const { Counts } = require('./counts');
const { INTERVAL_FIXED, extension } = require('./frames');

const RAW = 0x1c849313;
const COMPRESSED = 0x1c849314;
const RAW_HEAD = 40;

/** The longest that a run of empty buckets and a count take: 4 and 8 bytes. */
const MOST_OF_A_BUCKET = 12;

/**
 * What goes into one frame.
 *
 * @typedef {{ figures: import('./frames').Figures, counts: Counts, payload: Buffer }} Part
 */

/**
 * ZigZag and LEB128 of a number. The ninth byte of the format is for numbers beyond 2^53.
 *
 * @param {Buffer} into
 * @param {number} at
 * @param {number} number
 * @returns {number} where the next one goes
 */
function leb128(into, at, number) {
  let rest = number >= 0 ? 2 * number : -2 * number - 1;
  while (rest >= 128) {
    into[at++] = rest % 128 | 128;
    rest = Math.floor(rest / 128);
  }
  into[at++] = rest;
  return at;
}

/**
 * The raw form of buckets.
 *
 * @param {Int32Array} indexes ascending
 * @param {Float64Array} counts
 * @param {import('./layout').Layout} layout
 * @param {bigint} highest highest trackable value
 */
function raw(indexes, counts, layout, highest) {
  const data = Buffer.alloc(RAW_HEAD + MOST_OF_A_BUCKET * indexes.length);
  let end = RAW_HEAD;
  let following = 0;
  for (let at = 0; at < indexes.length; at++) {
    const empty = indexes[at] - following;
    if (empty > 0) {
      end = leb128(data, end, empty === 1 ? 0 : -empty);
    }
    end = leb128(data, end, counts[at]);
    following = indexes[at] + 1;
  }
  data.writeUInt32BE(RAW, 0);
  data.writeUInt32BE(end - RAW_HEAD, 4);
  data.writeInt32BE(layout.digits, 12);
  data.writeBigInt64BE(BigInt(layout.lowest), 16);
  data.writeBigInt64BE(highest, 24);
  data.writeDoubleBE(1, 32);
  return data.subarray(0, end);
}

/**
 * The compressed form of a raw payload. A short window and little memory make no difference to what
 * is this small, but for the time that it takes to set up.
 *
 * @param {Uint8Array} payload
 * @param {number} level
 */
function compressed(payload, level) {
  const stream = deflateSync(payload, { level, windowBits: 12, memLevel: 5 });
  const head = Buffer.alloc(8);
  head.writeUInt32BE(COMPRESSED, 0);
  head.writeUInt32BE(stream.length, 4);
  return Buffer.concat([head, stream]);
}

/**
 * Whether a payload has the compressed form.
 *
 * @param {Buffer} payload
 */
function isCompressed(payload) {
  return payload.readUInt32BE(0) === COMPRESSED;
}

/**
 * One part, or as many as it takes for each to fit a body, by ascending buckets.
 *
 * Parts add up to the whole. The sum of a part cannot be known, so it is one that its buckets allow;
 * minimum and maximum are exact where those of the whole lie, else edges of buckets.
 *
 * @param {Counts} counts
 * @param {number} start
 * @param {number} end
 * @param {import('./series').Definition} definition
 * @param {{ maxBody: number, level: number }} limits
 * @returns {Part[]}
 */
function parts(counts, start, end, { layout, highest }, { maxBody, level }) {
  const room = maxBody - INTERVAL_FIXED - extension(counts.exemplar).length;
  const found = split(counts.indexes, counts.counts);
  const sums = sharedSums(found, layout, counts.sum);
  const last = found.length - 1;
  return found.map((some, at) => {
    const part = new Counts(
      some.indexes,
      some.counts,
      sums[at],
      at === 0 ? counts.smallest : BigInt(layout.lowestAt(some.indexes[0])),
      at === last ? counts.largest : layout.highestAt(some.indexes[some.indexes.length - 1]),
      at === last ? counts.exemplar : undefined,
    );
    const { total, sum, smallest, largest } = part;
    return { figures: { start, end, total, sum, smallest, largest }, counts: part, payload: some.payload };
  });

  /**
   * @param {Int32Array} indexes
   * @param {Float64Array} some
   * @returns {{ indexes: Int32Array, counts: Float64Array, payload: Buffer }[]}
   */
  function split(indexes, some) {
    const plain = raw(indexes, some, layout, highest);
    const payload = level > 0 ? compressed(plain, level) : plain;
    if (payload.length <= room || indexes.length === 1) {
      return [{ indexes, counts: some, payload }];
    }
    const middle = indexes.length >> 1;
    return [
      ...split(indexes.slice(0, middle), some.slice(0, middle)),
      ...split(indexes.slice(middle), some.slice(middle)),
    ];
  }
}

/**
 * To each part the least its buckets allow, then to each as much of the rest as they allow.
 *
 * @param {{ indexes: Int32Array, counts: Float64Array }[]} every
 * @param {import('./layout').Layout} layout
 * @param {bigint} whole
 */
function sharedSums(every, layout, whole) {
  if (every.length === 1) {
    return [whole];
  }
  const least = every.map((some) => bound(some, (index) => BigInt(layout.lowestAt(index))));
  const most = every.map((some) => bound(some, (index) => layout.highestAt(index)));
  let rest = whole - least.reduce((sum, one) => sum + one, 0n);
  return least.map((one, at) => {
    const share = rest < most[at] - one ? rest : most[at] - one;
    rest -= share;
    return one + share;
  });
}

/**
 * @param {{ indexes: Int32Array, counts: Float64Array }} some
 * @param {(index: number) => bigint} edge
 */
function bound({ indexes, counts }, edge) {
  return indexes.reduce((sum, index, at) => sum + edge(index) * BigInt(counts[at]), 0n);
}

module.exports = { compressed, isCompressed, parts, raw };
