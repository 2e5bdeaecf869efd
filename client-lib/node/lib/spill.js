'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { crc32c } = require('./crc32c');
const { compressed, isCompressed } = require('./payload');
const { joined } = require('./series');
const { shownAs } = require('./session');

/** Spill files: what was not delivered by the end, for a sidecar to pick up. See PROTOCOL.md. */

const HEAD = `#[Histogram log format version 1.3]
#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]
#[BaseTime: 0.000 (seconds since epoch)]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
`;
const PART = 88;
const TAG_SPECIAL = new Set(Buffer.from(',;={}~"%'));
const VALUE_SPECIAL = new Set(Buffer.from('%'));

/** Series defined at a time, so that a sidecar with little memory need not keep all. */
const DEFINED = 100;

const LEVEL = 6;
const GROUP_WRITES = 0o020;

/**
 * @param {string} text
 * @param {Set<number>} [special]
 */
function percent(text, special = VALUE_SPECIAL) {
  let out = '';
  for (const byte of Buffer.from(text)) {
    const plain = byte > 0x20 && byte < 0x7f && !special.has(byte);
    out += plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`;
  }
  return out;
}

/**
 * @param {string} text
 * @param {string} [following] the next line, which the check covers as well
 */
function comment(text, following = '') {
  const crc = crc32c(Buffer.from(`${text} ${following}`))
    .toString(16)
    .padStart(8, '0');
  return `${text} ${crc}\n${following}`;
}

/**
 * @param {string} start
 * @param {string} text
 */
function inParts(start, text) {
  const parts = text.match(new RegExp(`.{1,${PART}}`, 'g')) ?? [];
  const number = parts.length.toString(16);
  return parts.map((part, at) => comment(`${start}${(at + 1).toString(16)} ${number} ${part}`)).join('');
}

/** @param {bigint | number} value */
function thousandths(value) {
  const digits = String(value).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/**
 * @param {import('./series').LabelList} labels
 */
function labelTexts(labels) {
  return labels.map(([name, value]) => `label.${name}=${percent(value)}`);
}

/**
 * @param {import('./recorder').Series} series
 * @param {import('./series').LabelList} labels
 */
function seriesText(series, labels) {
  const { unit, layout, highest, help } = series.definition;
  const fields = [
    `name=${series.key.name}`,
    `unit=${unit}`,
    `lowest=${layout.lowest}`,
    `digits=${layout.digits}`,
    `highest=${highest}`,
    `created=${series.createdMillis}`,
    `help=${percent(help)}`,
  ];
  return [...fields, ...labelTexts(labels)].join(' ');
}

/**
 * @param {string} name
 * @param {import('./series').LabelList} labels
 */
function tag(name, labels) {
  const pairs = labels.map(([label, value]) => `${label}=${percent(value, TAG_SPECIAL)}`);
  return pairs.length > 0 ? `${name}{${pairs.join(';')}}` : name;
}

/**
 * The maximum in thousandths of what a line shows: milliseconds of ns and us, else as it is.
 *
 * @param {bigint} largest
 * @param {string} unit
 */
function shownMaximum(largest, unit) {
  if (unit === 'ns') {
    return largest / 1000n;
  }
  return unit === 'us' ? largest : largest * 1000n;
}

/**
 * @param {import('./delivery').Interval} one
 * @param {import('./series').LabelList} labels
 * @param {number} level
 */
function line(one, labels, level) {
  const { figures, payload } = one.part;
  const { key, definition } = one.series.series;
  const packed = isCompressed(payload) ? payload : compressed(payload, level);
  const fields = [
    `Tag=${tag(key.name, labels)}`,
    thousandths(figures.start),
    thousandths(figures.end - figures.start),
    thousandths(shownMaximum(figures.largest, definition.unit)),
    packed.toString('base64'),
  ];
  return `${fields.join(',')}\n`;
}

/**
 * What is in a file.
 *
 * @param {Buffer} instance
 * @param {import('./series').LabelList} common
 * @param {import('./delivery').Interval[]} intervals
 * @param {number} [level]
 */
function* lines(instance, common, intervals, level = LEVEL) {
  yield HEAD;
  yield comment('#J 1 1');
  yield inParts('#C ', labelTexts(common).join(' '));
  yield comment(`#I 1 ${instance.toString('hex')}`);
  let record = 0;
  /** @type {Map<import('./recorder').Series, string>} */
  const numbers = new Map();
  let last = 0;
  for (const one of intervals) {
    const series = one.series.series;
    const labels = joined(series.key.labels, common);
    if (!numbers.has(series)) {
      if (numbers.size === DEFINED) {
        yield comment(`#F ${(last + 1).toString(16)}`);
        numbers.clear();
      }
      last++;
      numbers.set(series, last.toString(16));
      yield inParts(`#S ${last.toString(16)} `, seriesText(series, labels));
    }
    record++;
    const { sum, smallest, largest } = one.part.figures;
    const fields = [record, numbers.get(series), 1, one.sequence, sum, smallest, largest];
    const text = fields.map((field) => (typeof field === 'string' ? field : field?.toString(16))).join(' ');
    yield comment(`#R ${text}`, line(one, labels, level));
  }
  yield comment(`#E ${record.toString(16)} ${record.toString(16)}`);
}

/**
 * Writes a file, waits for the disk, and gives it its name.
 *
 * @param {string} folder
 * @param {Buffer} instance
 * @param {import('./series').LabelList} common
 * @param {import('./delivery').Interval[]} intervals
 * @returns {string} its path
 * @throws {Error} of the file system
 */
function write(folder, instance, common, intervals) {
  fs.mkdirSync(folder, { mode: 0o700, recursive: true });
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const complete = path.join(folder, `spill-${stamp}-${shownAs(instance)}.hlog`);
  const temporary = `${complete}.tmp`;
  const file = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      // For the group as well where the folder is: a sidecar may be of another user.
      if ((fs.statSync(folder).mode & GROUP_WRITES) !== 0) {
        fs.fchmodSync(file, 0o660);
      }
      for (const some of lines(instance, common, intervals)) {
        fs.writeFileSync(file, some);
      }
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, complete);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  return complete;
}

module.exports = { lines, write };
