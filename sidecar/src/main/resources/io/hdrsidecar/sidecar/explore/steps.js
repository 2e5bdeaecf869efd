// Steps of time as /api/v1/percentiles answers them, as stretches to draw.
//
// Steps without values are absent, and a stretch ends where its step does: nothing is drawn across a gap. Where
// the history has added intervals together, one is longer than a step; its values are all in the step of its
// middle, and its stretch reaches to the next, for that is no gap.

/**
 * @typedef {{start: number, end: number, joined: boolean, step: any}} Stretch times in milliseconds; joined: the
 *   next stretch follows without a gap
 */

/**
 * @param {any[]} steps in order of time, with start in milliseconds as `at`
 * @param {number} stepMillis
 * @returns {Stretch[]}
 */
export function stretches(steps, stepMillis) {
  return steps.map((step, i) => {
    const next = steps[i + 1];
    const joined = next !== undefined && next.at - step.at <= reach(step, next, stepMillis);
    const resolution = (step.resolutionSeconds ?? 0) * 1000;
    // Behind an interval of two steps or more, half of it lies after the step of its middle.
    const alone = step.at + (resolution >= 2 * stepMillis ? (stepMillis + resolution) / 2 : stepMillis);
    return { start: step.at, end: joined ? next.at : alone, joined, step };
  });
}

/**
 * How far the next step may be without a gap. Intervals are never quite as long as a step: with two or more in
 * each, a step without any is a gap. With fewer, one step may be left out between two that touch.
 */
function reach(step, next, stepMillis) {
  const resolution = 1000 * Math.max(step.resolutionSeconds ?? 0, next.resolutionSeconds ?? 0);
  return stepMillis >= 1.9 * resolution ? stepMillis : (stepMillis + resolution) * 1.02;
}

/** @param {any[]} steps as answered @returns {any[]} with the start as a number, too */
export function timed(steps) {
  return steps.map((step) => ({ ...step, at: Date.parse(step.start) }));
}
