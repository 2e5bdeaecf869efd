// How lines and counts are told apart: colours from theme.css, dashes, letters, and the map of the heat map.

const COLOURS = 8;
/** In pixels; each with all colours before the next one, so that 64 lines differ. */
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 1, 2], [1, 5], [9, 2, 2, 2, 2, 2]];

/** @param {string} name of a custom property, without the dashes @returns {string} its colour in the theme in force */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** @param {number} index of a line @returns {string} the custom property with its colour */
export function lineName(index) {
  return `line-${(index % COLOURS) + 1}`;
}

/** @param {number} index of a line @returns {string} */
export function lineColour(index) {
  return colour(lineName(index));
}

/**
 * Neighbouring lines differ in the dash as well as in the colour, so that neither is needed alone.
 *
 * @param {number} index of a line
 * @returns {number[]}
 */
export function lineDash(index) {
  return DASHES[(index + Math.floor(index / COLOURS)) % DASHES.length];
}

/**
 * Percentiles of one series belong together and have an order, so they have shades of their own.
 *
 * @param {number} index among the percentiles shown, in order
 * @param {boolean} isMax
 * @returns {string} a custom property
 */
export function shadeName(index, isMax) {
  return isMax ? 'shade-max' : `shade-${(index % 4) + 1}`;
}

/**
 * Long dashes: the stairs of a line over time are so short that others get lost in them.
 *
 * @param {number} index among the percentiles shown
 * @param {boolean} isMax
 * @returns {number[]}
 */
export function shadeDash(index, isMax) {
  return isMax || index % 2 === 0 ? [] : [6, 2];
}

/** @param {number} index @returns {string} A to Z, then A2, B2 … */
export function letter(index) {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round === 0 ? '' : String(round + 1));
}

// Viridis (van der Walt and Smith, matplotlib, CC0) at nine places: rises evenly in lightness, so it reads the same
// without colour vision and in grey.
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

/**
 * @param {number} share 0 to 1
 * @param {boolean} dark whether the paper is dark: then many are light, else many are dark
 * @returns {string} a colour of the heat map
 */
export function heatColour(share, dark) {
  // The end that is nearest to the paper is left out: a single slow call has to be seen.
  const at = Math.min(1, Math.max(0, dark ? 0.2 + 0.8 * share : 0.78 - 0.78 * share)) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const part = at - low;
  const [r, g, b] = VIRIDIS[low].map((from, i) => Math.round(from + (VIRIDIS[low + 1][i] - from) * part));
  return `rgb(${r},${g},${b})`;
}

/** @returns {boolean} whether the dark theme is in force */
export function isDark() {
  return document.documentElement.dataset.theme === 'dark';
}
