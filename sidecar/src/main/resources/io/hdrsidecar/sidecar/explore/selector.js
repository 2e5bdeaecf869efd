// Names of series as people read them, and searching among them. Which series a selector matches is for the
// API to say; here only what has been typed is told apart, and text is looked for in text.

/** @param {string} text @returns {boolean} whether it can only be meant as a selector, not as a word to look for */
export function looksLikeSelector(text) {
  return text.includes('{') || text.includes('"');
}

/**
 * @param {string} name
 * @param {Object<string, string>} labels
 * @returns {string} the selector for this very series, in PromQL's way of writing
 */
export function exactSelector(name, labels) {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${quoted(value)}`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

function quoted(value) {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/**
 * @param {string} query words; all of them must occur, in any order
 * @param {string} text lower case
 */
export function matchesWords(query, text) {
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** @param {{name: string, labels: Object<string, string>}} series @returns {string} what is searched, lower case */
export function searchText(series) {
  const pairs = Object.entries(series.labels).map(([key, value]) => `${key}=${value}`);
  return `${series.name} ${pairs.join(' ')}`.toLowerCase();
}

/** @param {string} selector @returns {string} something to name a file by */
export function fileName(selector) {
  return selector.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 80) || 'histogram';
}

/**
 * Texts that tell selectors apart where there is little room: without what all of them share.
 *
 * @param {string[]} selectors
 * @returns {string[]} one for each
 */
export function shortNames(selectors) {
  if (selectors.length < 2) {
    return [...selectors];
  }
  const split = selectors.map((selector) => {
    const brace = selector.indexOf('{');
    return brace < 0 ? [selector, ''] : [selector.slice(0, brace), selector.slice(brace + 1).replace(/}\s*$/, '')];
  });
  const oneName = split.every(([name]) => name === split[0][0]);
  if (!oneName) {
    return [...selectors];
  }
  /** @type {string[][]} */
  const pairs = split.map(([, rest]) => rest.match(/[^,"]+"(?:[^"\\]|\\.)*"/g) ?? []);
  const common = new Set(pairs[0].filter((pair) => pairs.every((other) => other.includes(pair))));
  const differing = pairs.map((own) => own.filter((pair) => !common.has(pair)));
  // One label that all have, as kind: its values are enough.
  const values = differing.map((own) => (own.length === 1 ? /^\s*([^=!~]+)="(.*)"$/.exec(own[0]) : null));
  const oneKey = values.every((value) => value !== null && value[1] === values[0]?.[1]);
  const short = oneKey ? values.map((value) => value?.[2] ?? '') : differing.map((own) => own.join(','));
  return short.some((text) => text === '') || new Set(short).size < short.length ? [...selectors] : short;
}
