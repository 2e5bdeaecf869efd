'use strict';

const { Layout } = require('./layout');

/** @typedef {import('../index').Unit} Unit */
/** @typedef {readonly (readonly [string, string])[]} LabelList names and values, by name */

const MAX_LABELS = 32;
const MAX_LENGTH = 1024;
const RESERVED = new Set(['le', 'quantile', 'window', 'job', 'instance']);
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Codes of the protocol. @type {ReadonlyMap<unknown, number>} */
const UNITS = new Map([
  ['ns', 1],
  ['us', 2],
  ['ms', 3],
  ['s', 4],
  ['bytes', 5],
  ['none', 6],
]);

/** Of one millisecond. @type {ReadonlyMap<string, number>} */
const PER_MILLISECOND = new Map([
  ['ns', 1e6],
  ['us', 1e3],
  ['ms', 1],
  ['s', 1e-3],
]);

const MILLISECONDS_OF_AN_HOUR = 3_600_000;

/** @param {unknown} text */
function shown(text) {
  return String(typeof text === 'string' ? JSON.stringify(text.slice(0, 60)) : typeof text);
}

/**
 * @param {string} what
 * @param {unknown} text
 * @returns {asserts text is string}
 */
function checkText(what, text) {
  if (typeof text !== 'string') {
    throw new TypeError(`${what} must be a string: ${shown(text)}`);
  }
  if (text.length > MAX_LENGTH) {
    throw new RangeError(`${what} must have at most ${MAX_LENGTH} characters: ${shown(text)}...`);
  }
  if (!text.isWellFormed()) {
    throw new RangeError(`${what} is not Unicode text: it has half a surrogate pair`);
  }
}

/**
 * Checks, copies and sorts labels. One with an empty value is the same as none.
 *
 * @param {unknown} labels
 * @returns {LabelList}
 */
function labelsOf(labels) {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw new TypeError(`labels must be an object of names and values: ${shown(labels)}`);
  }
  /** @type {[string, string][]} */
  const found = [];
  for (const [name, value] of Object.entries(labels)) {
    if (name.length > MAX_LENGTH || name.startsWith('__') || !LABEL.test(name)) {
      throw new RangeError(
        `label name must match ${LABEL.source}, not start with __, and have at most ${MAX_LENGTH} characters: ` +
          shown(name),
      );
    }
    if (RESERVED.has(name)) {
      throw new RangeError(`label name is reserved, choose another: ${name}`);
    }
    checkText(`value of label ${name}`, value);
    if (value !== '') {
      found.push([name, value]);
    }
  }
  if (found.length > MAX_LABELS) {
    throw new RangeError(`at most ${MAX_LABELS} labels, but there are ${found.length}`);
  }
  return sorted(found);
}

/**
 * @param {[string, string][]} labels with names that differ
 * @returns {LabelList}
 */
function sorted(labels) {
  return labels.sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Both together.
 *
 * @param {LabelList} labels
 * @param {LabelList} common
 * @throws {RangeError} when they set a name to different values
 */
function joined(labels, common) {
  const every = new Map(common);
  for (const [name, value] of labels) {
    const other = every.get(name) ?? value;
    if (other !== value) {
      throw new RangeError(`label ${name} is set twice: to ${value} and to ${other}`);
    }
    every.set(name, value);
  }
  return sorted([...every]);
}

/**
 * Those of the series that counts for label sets above a limit. It keeps the labels without which
 * values would be added up that must not be.
 *
 * @param {LabelList} labels
 */
function overflowLabels(labels) {
  const { kind = '', corrected = '' } = Object.fromEntries(labels);
  return labelsOf({
    overflow: 'true',
    kind: ['response', 'service', 'wait'].includes(kind) ? kind : '',
    corrected: corrected === '' || corrected === 'expected_interval' ? corrected : 'other',
  });
}

/**
 * Those of the estimate beside a series.
 *
 * @param {LabelList} labels
 */
function correctedLabels(labels) {
  return sorted([...new Map([...labels, ['corrected', 'expected_interval']])]);
}

/** One name with one set of labels. */
class SeriesKey {
  /**
   * @param {unknown} name
   * @param {LabelList} labels
   */
  constructor(name, labels) {
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new RangeError(`series name must match ${NAME.source}: ${shown(name)}`);
    }
    this.name = name;
    this.labels = labels;
    /** The same for equal keys. */
    this.text = JSON.stringify([name, labels]);
  }

  toString() {
    const pairs = this.labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return pairs.length > 0 ? `${this.name}{${pairs.join(',')}}` : this.name;
  }
}

/**
 * @param {Unit} unit
 * @returns {number} an hour, or 2^40 of what is no time
 */
function usualHighest(unit) {
  const perMillisecond = PER_MILLISECOND.get(unit);
  return perMillisecond === undefined ? 2 ** 40 : MILLISECONDS_OF_AN_HOUR * perMillisecond;
}

/** Range, precision and unit of a series; checked and immutable. */
class Definition {
  /** @param {import('../index').RecorderOptions} [options] */
  constructor(options = {}) {
    if (typeof options !== 'object' || options === null) {
      throw new TypeError(`options of a recorder must be an object: ${shown(options)}`);
    }
    const { unit = 'ns', lowest = 1, digits = 3, help = '', ...others } = options;
    const { highest = usualHighest(unit), ...unknown } = others;
    const unitCode = UNITS.get(unit);
    if (unitCode === undefined) {
      throw new RangeError(`unit must be one of ${[...UNITS.keys()].join(', ')}: ${shown(unit)}`);
    }
    if (Object.keys(unknown).length > 0) {
      throw new TypeError(`no such option of a recorder: ${Object.keys(unknown).join(', ')}`);
    }
    this.layout = new Layout(lowest, digits);
    if (typeof highest !== 'bigint' && !Number.isSafeInteger(highest)) {
      throw new RangeError(`highest must be a whole number up to 2^53 - 1, or a BigInt: ${String(highest)}`);
    }
    if (highest < 2n * BigInt(lowest) || highest > 1n << 62n) {
      throw new RangeError(`highest must be at least twice lowest, ${lowest}, and at most 2^62: ${highest}`);
    }
    checkText('help', help);
    this.unit = unit;
    this.unitCode = unitCode;
    this.highest = BigInt(highest);
    this.help = help;
    /** The same for equal definitions. */
    this.text = `unit=${unit} lowest=${lowest} highest=${highest} digits=${digits} help=${JSON.stringify(help)}`;
  }
}

module.exports = {
  Definition,
  MAX_LABELS,
  PER_MILLISECOND,
  SeriesKey,
  correctedLabels,
  joined,
  labelsOf,
  overflowLabels,
};
