// What there is to ask for: a sidecar has a history that goes on, files have an extent and an end.

import { ApiError, ask, setServerNow } from './api.js';

/**
 * @typedef {{start: number, end: number, live: boolean}} Extent milliseconds since 1970
 */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Extent|null>} null if nothing is known of it
 */
export async function findExtent(signal) {
  const { data } = await ask('api/v1/status', {}, signal);
  nodeOfFleet = 'node.threads' in (data.config ?? {});
  return extentOf(data.history);
}

let nodeOfFleet = false;

/** @returns {boolean} whether a node of a fleet answers, which reads from Kafka and takes nothing; known with the extent */
export function isNodeOfFleet() {
  return nodeOfFleet;
}

/**
 * Learns what the sidecar's clock says, since ranges end by it: an answer that ends now says when that is. It is
 * not worth a failure: then our clock is taken for right.
 *
 * @param {AbortSignal} signal
 */
export async function learnClock(signal) {
  try {
    const { data } = await ask('api/v1/sla', { start: '-1s' }, signal);
    setServerNow(Date.parse(data.end));
  } catch {
    // Whatever it is, the next question meets it, too, and says so.
  }
}

/** Of more series than these it is not worth the questions. */
const MOST_ASKED = 8;
const MOST_MATCHED = 50;

/**
 * @typedef {{value: number|bigint, time: string, traceId: string, spanId?: string}} Exemplar
 * @typedef {{kept: import('./model.js').Range|null, exemplars: (Exemplar & {selector: string, index: number, unit: string})[]}} Facts
 */

/**
 * What is known of open series besides their values: from when to when there is anything, and examples with traces.
 *
 * @param {string[]} selectors
 * @param {AbortSignal} signal
 * @returns {Promise<Facts>} kept is null where nothing is in memory
 */
export async function factsOf(selectors, signal) {
  const answers = await Promise.all(
    selectors
      .slice(0, MOST_ASKED)
      .map((series) => ask('api/v1/overview', { series, points: 1, limit: MOST_MATCHED }, signal).catch(noneIfRefused)),
  );
  const rows = answers.flatMap((answer, index) => answer.data.series.map((row) => ({ ...row, index })));
  const ranges = rows
    .filter((row) => row.kept)
    .map((row) => ({ start: Date.parse(row.kept.start), end: Date.parse(row.kept.end) }));
  return {
    kept:
      ranges.length === 0
        ? null
        : { start: Math.min(...ranges.map(({ start }) => start)), end: Math.max(...ranges.map(({ end }) => end)) },
    exemplars: rows.flatMap((row) =>
      row.exemplars.map((each) => ({ ...each, selector: row.selector, index: row.index, unit: row.unit })),
    ),
  };
}

/** What is wrong with a selector its panels say. */
function noneIfRefused(failure) {
  if (failure instanceof ApiError && failure.status === 400) {
    return { data: { series: [] } };
  }
  throw failure;
}

/**
 * @param {string} selector
 * @param {AbortSignal} signal
 * @returns {Promise<Extent|null>} what is kept of a series; costs reading all of it
 */
export async function extentOfSeries(selector, signal) {
  const { data } = await ask('api/v1/histogram', { series: selector, start: '0' }, signal);
  return extentOf({ ...data.covered, live: true });
}

function extentOf(history) {
  if (!history?.start || !history?.end) {
    return null;
  }
  return { start: Date.parse(history.start), end: Date.parse(history.end), live: history.live };
}
