// Names of series as people read them, and searching among them. Which series a selector matches is for the
// API to say; here only what has been typed is told apart, and text is looked for in text.

/** @param {string} text @returns {boolean} whether it can only be meant as a selector, not as a word to look for */
export function looksLikeSelector(text) {
  return text.includes('{') || text.includes('"');
}

/**
 * @param {string} query words; all of them must occur, in any order
 * @param {string} text lower case
 */
export function matchesWords(query, text) {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** @param {{name: string, labels: Object<string, string>}} series @returns {string} what is searched, lower case */
export function searchText(series) {
  const pairs = Object.entries(series.labels).map(([key, value]) => `${key}=${value}`);
  return `${series.name} ${pairs.join(' ')}`.toLowerCase();
}

/** @param {string} selector @returns {string} something to name a file by */
export function fileName(selector) {
  return (
    selector
      .replace(/[^A-Za-z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 80) || 'histogram'
  );
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
  const pairs = split.map(([, rest]) =>
    [...rest.matchAll(/([^,=!~]+)[=!~]+"((?:[^"\\]|\\.)*)"/g)].map(([all, , value]) => ({ all, value })),
  );
  const common = new Set(
    pairs[0].map(({ all }) => all).filter((pair) => pairs.every((own) => own.some(({ all }) => all === pair))),
  );
  const values = pairs.map((own) =>
    own
      .filter(({ all }) => !common.has(all))
      .map(({ value }) => value)
      .join(', '),
  );
  const names = split.map(([name]) => name);
  // The shortest that tells them all apart: names, or values of the labels that differ, or both in full.
  const candidates = [names, values.map((value, i) => value || names[i])];
  return candidates.find((texts) => new Set(texts).size === texts.length) ?? [...selectors];
}
