'use strict';

/** CRC-32C, the polynomial of RFC 3720, of each byte. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) {
    crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return crc;
});

/**
 * CRC-32C of bytes from `start` to `end`.
 *
 * @param {Uint8Array} data
 * @param {number} [start]
 * @param {number} [end]
 * @returns {number} unsigned
 */
function crc32c(data, start = 0, end = data.length) {
  let crc = -1;
  for (let at = start; at < end; at++) {
    crc = (crc >>> 8) ^ TABLE[(crc ^ data[at]) & 0xff];
  }
  return ~crc >>> 0;
}

module.exports = { crc32c };
