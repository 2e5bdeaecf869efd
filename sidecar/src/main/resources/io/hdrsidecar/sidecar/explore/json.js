// JSON from the API, with whole numbers kept exact.
//
// Values are nanoseconds up to 2^62, counts are 64 bits and sums up to 128. JSON.parse would round them to
// the nearest double, so a whole number beyond 2^53 becomes a BigInt here. Everything that shows or adds
// numbers takes both (units.js, percentile-axis.js).

const LONG_NUMBER = /\d{16}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
// No JSON text from the API has this character unescaped, so no string of it can be mistaken for a marked number.
const MARK = '\u0001';

/**
 * @param {string} text
 * @returns {any} as JSON.parse, but whole numbers that a double cannot hold are BigInts
 */
export function parseJson(text) {
  if (!LONG_NUMBER.test(text)) {
    return JSON.parse(text); // nearly always: scanning is much slower
  }
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token[0] !== '"' && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0001${token}"` : token,
  );
  return JSON.parse(marked, (key, value) =>
    typeof value === 'string' && value[0] === MARK && /^-?\d+$/.test(value.slice(1)) ? BigInt(value.slice(1)) : value,
  );
}
