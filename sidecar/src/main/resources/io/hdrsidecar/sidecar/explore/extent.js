// What there is to ask for: a sidecar has a history that goes on, files have an extent and an end.

import { ask, setServerNow } from './api.js';

/**
 * @typedef {{start: number, end: number, live: boolean}} Extent milliseconds since 1970
 */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Extent|null>} null if nothing is known of it
 */
export async function findExtent(signal) {
  return extentOf((await ask('api/v1/status', {}, signal)).data.history);
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
