// How many values a second were recorded, step by step: from the counts of the steps that the chart above shows.

/**
 * @typedef {{start: number, end: number, joined: boolean, rate: number, step: any}} Rated a stretch with values per second
 */

/**
 * The rate of each stretch: its count by the time in which that was recorded. An interval belongs to one step and is
 * not cut, so a step has now and then one more or one less than the next; then its own time is that of its intervals.
 * Where more than an interval is missing nothing was recorded, and its time is that of the step.
 *
 * @param {import('./steps.js').Stretch[]} stretches in order of time
 * @param {number} stepMillis
 * @param {{start: number, end: number}} range
 * @param {number} series how many were added up
 * @returns {Rated[]}
 */
export function rated(stretches, stepMillis, range, series) {
  return stretches.map(({ start, end, joined, step }) => {
    const within = Math.min(start + stepMillis, range.end) - Math.max(start, range.start);
    const recorded = (step.recordedSeconds * 1000) / Math.max(1, series);
    const millis = recorded >= within - step.resolutionSeconds * 1000 ? recorded : within;
    return { start, end, joined, step, rate: (Number(step.count) * 1000) / Math.max(1, millis) };
  });
}
