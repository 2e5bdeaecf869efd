// JSON from the API, with whole numbers kept exact.
//
// Values are nanoseconds up to 2^62, counts are 64 bits and sums up to 128. JSON.parse would round them to
// the nearest double, so a whole number beyond 2^53 becomes a BigInt here. Everything that shows or adds
// numbers takes both (units.js, percentile-axis.js).

const LONG_NUMBER = /\d{16}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
// Begins the string that a long number becomes on its way. A string that begins so itself, as a label's value may, gets
// another, so that neither is taken for the other.
const MARK = '\u0001';
const BEGINS_SO = /^"\\u0001/;

/**
 * @param {string} text
 * @returns {any} as JSON.parse, but whole numbers that a double cannot hold are BigInts
 */
export function parseJson(text) {
  if (!LONG_NUMBER.test(text)) {
    return JSON.parse(text); // nearly always: scanning is much slower
  }
  return JSON.parse(text.replace(STRING_OR_NUMBER, marked), (key, value) =>
    typeof value === 'string' && value[0] === MARK ? unmarked(value.slice(1)) : value,
  );
}

function marked(token) {
  if (token[0] === '"') {
    return BEGINS_SO.test(token) ? `"\\u0001${token.slice(1)}` : token;
  }
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0001${token}"` : token;
}

function unmarked(rest) {
  return rest[0] === MARK ? rest : BigInt(rest);
}
