'use strict';

const { crc32c } = require('./crc32c');

/** Frames as bytes. PROTOCOL.md draws them; its session is a test of this file. */

const VERSION = 1;

/** Bytes of a frame beside its body. */
const OVERHEAD = 12;

/** Bytes of the body of an INTERVAL in front of its payload. */
const INTERVAL_FIXED = 72;

/** The longest a sidecar has to say is REJECT, with a message of 64 KiB. */
const MAX_BODY = 1 << 17;

const HELLO = 1;
const WELCOME = 2;
const SERIES = 3;
const INTERVAL = 4;
const ACK = 5;
const REJECT = 6;
const GOODBYE = 7;
const HEALTH = 8;

const REASONS = [
  'unknown',
  'bad_magic',
  'unsupported_version',
  'bad_header',
  'frame_too_large',
  'bad_crc',
  'unknown_frame',
  'unexpected_frame',
  'bad_frame',
  'unknown_series',
  'bad_series',
  'series_conflict',
  'configuration_limit',
  'bad_payload',
  'layout_mismatch',
  'count_mismatch',
  'count_overflow',
  'bad_time',
  'series_limit',
  'unauthorized',
  'replaced',
  'connection_limit',
  'idle',
  'series_forgotten',
  'memory_limit',
  'sequence_gap',
  'instance_limit',
];

/** The other side said what it must not; the connection cannot be trusted any longer. */
class ProtocolError extends Error {}

/**
 * What the sidecar has settled, and its limits.
 *
 * @typedef {{ kind: 'welcome', settled: number, maxBody: number, window: number, level: number }} Welcome
 *
 * All up to this number is settled.
 * @typedef {{ kind: 'ack', sequence: number }} Ack
 *
 * A connection, a series or an interval is refused.
 * @typedef {{ kind: 'reject', scope: 'connection' | 'series' | 'interval', reference: number, reason: string,
 *   message: string }} Reject
 *
 * @typedef {Welcome | Ack | Reject} Answer
 *
 * Times and exact figures of an interval; times in milliseconds since the epoch.
 * @typedef {{ start: number, end: number, total: number, sum: bigint, smallest: bigint, largest: bigint }} Figures
 */

/**
 * A whole frame.
 *
 * @param {number} kind
 * @param {Uint8Array[]} parts of its body
 */
function frame(kind, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const data = Buffer.allocUnsafe(length + OVERHEAD);
  data.writeUInt32BE(length, 0);
  data[4] = kind;
  data[5] = 0;
  data.writeUInt16BE(crc32c(data, 0, 6) & 0xffff, 6);
  let at = 8;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  data.writeUInt32BE(crc32c(data, 0, at), at);
  return data;
}

/** @param {string} text */
function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint16(bytes.length), bytes]);
}

/** @param {number} value */
function uint16(value) {
  return Buffer.of(value >> 8, value & 0xff);
}

/** @param {bigint | number} value */
function int64(value) {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** @param {import('./series').LabelList} labels */
function labelBytes(labels) {
  return Buffer.concat([uint16(labels.length), ...labels.flat().map(string)]);
}

/**
 * The client's name.
 *
 * @param {Uint8Array} instance
 * @param {import('./series').LabelList} common
 * @param {string} token
 */
function hello(instance, common, token) {
  return frame(HELLO, Buffer.from('HDRS'), uint16(VERSION), instance, labelBytes(common), string(token));
}

/**
 * What an id stands for.
 *
 * @param {number} id
 * @param {import('./series').SeriesKey} key
 * @param {import('./series').Definition} definition
 */
function series(id, key, definition) {
  const head = Buffer.alloc(22);
  head.writeUInt32BE(id, 0);
  head[4] = definition.unitCode;
  head[5] = definition.layout.digits;
  head.writeBigInt64BE(BigInt(definition.layout.lowest), 6);
  head.writeBigInt64BE(definition.highest, 14);
  return frame(SERIES, head, string(key.name), string(definition.help), labelBytes(key.labels));
}

/**
 * What one series recorded in one interval.
 *
 * @param {number} sequence
 * @param {number} id
 * @param {Figures} figures
 * @param {Uint8Array} payload
 * @param {import('./counts').Exemplar | undefined} exemplar
 */
function interval(sequence, id, figures, payload, exemplar) {
  const head = Buffer.alloc(INTERVAL_FIXED);
  head.writeBigInt64BE(BigInt(sequence), 0);
  head.writeUInt32BE(id, 8);
  head.writeBigInt64BE(BigInt(figures.start), 12);
  head.writeBigInt64BE(BigInt(figures.end), 20);
  head.writeBigInt64BE(BigInt(figures.total), 28);
  head.writeBigInt64BE(figures.sum >> 64n, 36);
  head.writeBigUInt64BE(BigInt.asUintN(64, figures.sum), 44);
  head.writeBigInt64BE(figures.smallest, 52);
  head.writeBigInt64BE(figures.largest, 60);
  head.writeUInt32BE(payload.length, 68);
  return frame(INTERVAL, head, payload, extension(exemplar));
}

/**
 * The exemplar behind the payload, if there is one.
 *
 * @param {import('./counts').Exemplar | undefined} exemplar
 */
function extension(exemplar) {
  if (exemplar === undefined) {
    return Buffer.alloc(0);
  }
  const { value, millis, traceId, spanId } = exemplar;
  const ids = [Buffer.of(traceId.length), Buffer.from(traceId), Buffer.of(spanId.length), Buffer.from(spanId)];
  const length = 18 + traceId.length + spanId.length;
  return Buffer.concat([Buffer.of(1), uint16(length), int64(value), int64(millis), ...ids]);
}

/**
 * The client's own figures.
 *
 * @param {Record<string, number>} figures
 */
function health(figures) {
  const pairs = Object.entries(figures);
  return frame(HEALTH, uint16(pairs.length), ...pairs.flatMap(([name, value]) => [string(name), int64(value)]));
}

/** Nothing more will come. */
function goodbye() {
  return frame(GOODBYE);
}

/** Takes bytes as they come and gives the frames of a sidecar. One connection. */
class Reader {
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);

  /**
   * The frames that are whole now.
   *
   * @param {Buffer} data
   * @returns {Generator<Answer, void>}
   * @throws {ProtocolError} for anything else
   */
  *feed(data) {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    while (this.#rest.length >= 8) {
      const bytes = this.#rest;
      const length = bytes.readUInt32BE(0);
      if (bytes[5] !== 0 || bytes.readUInt16BE(6) !== (crc32c(bytes, 0, 6) & 0xffff)) {
        throw new ProtocolError('header of a frame is damaged, or no sidecar answers here');
      }
      if (length > MAX_BODY) {
        throw new ProtocolError(`body of ${length} bytes, at most ${MAX_BODY}`);
      }
      const end = 8 + length;
      if (bytes.length < end + 4) {
        return;
      }
      if (crc32c(bytes, 0, end) !== bytes.readUInt32BE(end)) {
        throw new ProtocolError('a frame is damaged: CRC-32C');
      }
      this.#rest = bytes.subarray(end + 4);
      yield answer(bytes[4], bytes.subarray(8, end));
    }
  }
}

/**
 * @param {number} kind
 * @param {Buffer} body
 * @returns {Answer}
 */
function answer(kind, body) {
  try {
    if (kind === WELCOME) {
      return welcome(body);
    }
    if (kind === ACK) {
      return { kind: 'ack', sequence: Number(body.readBigInt64BE(0)) };
    }
    if (kind === REJECT) {
      return reject(body);
    }
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ProtocolError(`frame of type ${kind} is too short`);
    }
    throw error;
  }
  throw new ProtocolError(`the sidecar must not send a frame of type ${kind}`);
}

/**
 * @param {Buffer} body
 * @returns {Welcome}
 */
function welcome(body) {
  const settled = Number(body.readBigInt64BE(2));
  const maxBody = body.readInt32BE(10);
  const window = body.readInt32BE(14);
  const level = body.readUInt8(18);
  if (body.readUInt16BE(0) !== VERSION || maxBody < 1024 || window < 1 || level > 9 || settled < 0) {
    throw new ProtocolError(`limits this client cannot keep: ${body.toString('hex', 0, 19)}`);
  }
  return { kind: 'welcome', settled, maxBody, window, level };
}

/**
 * @param {Buffer} body
 * @returns {Reject}
 */
function reject(body) {
  const scope = /** @type {const} */ (['connection', 'series', 'interval'])[body.readUInt8(0)];
  if (scope === undefined) {
    throw new ProtocolError(`REJECT of an unknown scope: ${body[0]}`);
  }
  const end = 13 + body.readUInt16BE(11);
  return {
    kind: 'reject',
    scope,
    reference: Number(body.readBigInt64BE(1)),
    reason: REASONS[body.readUInt16BE(9)] ?? REASONS[0],
    message: body.toString('utf8', 13, end),
  };
}

module.exports = {
  INTERVAL_FIXED,
  OVERHEAD,
  ProtocolError,
  REASONS,
  Reader,
  extension,
  frame,
  goodbye,
  health,
  hello,
  interval,
  series,
};
