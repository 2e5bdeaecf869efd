// Where the names of lines stand beside their right ends: at them, but never over each other.

/**
 * @typedef {object} End
 * @property {string} text
 * @property {number} y pixels from above
 * @property {number} [rank] of ends at the same place the one with the greater rank stands above
 * @property {string} colour
 */

/**
 * @param {End[]} labels
 * @param {number} top pixels
 * @param {number} height of the room
 * @param {number} line height of a name
 * @returns {End[]} from above; where there are more names than room, those of the highest lines
 */
export function placeEnds(labels, top, height, line) {
  const sorted = labels
    .map((label) => ({ ...label }))
    .sort((a, b) => a.y - b.y || (b.rank ?? 0) - (a.rank ?? 0))
    .slice(0, Math.floor(height / line));
  let above = top - line / 2;
  for (const label of sorted) {
    label.y = Math.max(label.y, above + line);
    above = label.y;
  }
  let below = top + height + line / 2;
  for (const label of [...sorted].reverse()) {
    label.y = Math.min(label.y, below - line);
    below = label.y;
  }
  return sorted;
}
