package io.hdrsidecar.fleet.node;

/**
 * What a partition may cost, and when its series end.
 *
 * @param maxCounters most counters that a payload may need
 * @param maxLayouts most bucket layouts of a series
 * @param pendingBytes most memory of what is not committed; beyond it a commit is asked for
 * @param idleMillis how long a series may go without an interval; 0: for ever
 * @param instanceMillis how long the number of an instance is remembered without an interval
 * @param lateMillis how long after its end an interval may come and not be late
 * @param windowMillis how far the longest window of the view reaches back
 */
record MergeLimits(
    int maxCounters,
    int maxLayouts,
    long pendingBytes,
    long idleMillis,
    long instanceMillis,
    long lateMillis,
    long windowMillis) {}
