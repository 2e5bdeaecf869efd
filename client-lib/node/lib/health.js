'use strict';

/** Counts since the client was made. */
class Tally {
  startedSeconds = Math.floor(Date.now() / 1000);
  harvestedValues = 0;
  sentIntervals = 0;
  acknowledgedIntervals = 0;
  acknowledgedValues = 0;
  resentIntervals = 0;
  joinedIntervals = 0;
  welcomes = 0;
  clampedNegative = 0;
  clampedTooLarge = 0;
  loopFailures = 0;
  overflowedLookups = 0;
  spilledIntervals = 0;
  spilledValues = 0;
  lostBackFill = 0;
  /** @type {Map<string, number>} */
  lost = new Map();

  /**
   * These values will not be delivered.
   *
   * @param {string} reason
   * @param {number} values
   */
  lose(reason, values) {
    if (values > 0) {
      this.lost.set(reason, (this.lost.get(reason) ?? 0) + values);
    }
  }
}

/**
 * What is counted, with how things are.
 *
 * @param {Tally} tally
 * @param {{ connected: boolean, series: number, pending: number, flying: number }} now
 * @returns {import('../index').ClientHealth}
 */
function healthOf(tally, now) {
  return {
    connected: now.connected,
    series: now.series,
    pendingIntervals: now.pending,
    inFlightIntervals: now.flying,
    harvestedValues: tally.harvestedValues,
    sentIntervals: tally.sentIntervals,
    acknowledgedIntervals: tally.acknowledgedIntervals,
    acknowledgedValues: tally.acknowledgedValues,
    resentIntervals: tally.resentIntervals,
    joinedIntervals: tally.joinedIntervals,
    reconnects: Math.max(0, tally.welcomes - 1),
    lostValues: Object.fromEntries(tally.lost),
    clampedNegative: tally.clampedNegative,
    clampedTooLarge: tally.clampedTooLarge,
    overflowedLookups: tally.overflowedLookups,
    loopFailures: tally.loopFailures,
    lostBackFill: tally.lostBackFill,
    spilledIntervals: tally.spilledIntervals,
    spilledValues: tally.spilledValues,
  };
}

/**
 * As HEALTH names them.
 *
 * @param {import('../index').ClientHealth} health
 * @param {Tally} tally
 * @returns {Record<string, number>}
 */
function figures(health, tally) {
  return {
    start_time_seconds: tally.startedSeconds,
    series: health.series,
    pending_intervals: health.pendingIntervals,
    in_flight_intervals: health.inFlightIntervals,
    harvested_values_total: health.harvestedValues,
    sent_intervals_total: health.sentIntervals,
    acknowledged_intervals_total: health.acknowledgedIntervals,
    acknowledged_values_total: health.acknowledgedValues,
    resent_intervals_total: health.resentIntervals,
    joined_intervals_total: health.joinedIntervals,
    reconnects_total: health.reconnects,
    lost_values_total: [...tally.lost.values()].reduce((sum, values) => sum + values, 0),
    clamped_negative_total: health.clampedNegative,
    clamped_too_large_total: health.clampedTooLarge,
    loop_failures_total: health.loopFailures,
    overflowed_lookups_total: health.overflowedLookups,
    lost_back_fill_values_total: health.lostBackFill,
  };
}

module.exports = { Tally, figures, healthOf };
