package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.sidecar.memory.HeapShare;

/**
 * What all partitions of a node may remember, between commits, of series and instances that are
 * whole in the stores. Where there is no room, it is read again each time; only the past of a
 * series cannot be found without it.
 *
 * @param spans from when to when series have steps
 * @param keys of series, once read
 * @param numbers of instances
 */
record KeptMemory(HeapShare spans, HeapShare keys, HeapShare numbers) {
  private static final int PARTS = 4;

  /** Objects, places in maps, and the arrays of strings. */
  private static final long SERIES_BYTES = 450;

  private static final long LABEL_BYTES = 2 * 48 + 40;

  static KeptMemory of(HeapShare whole) {
    long part = whole.maxBytes() / PARTS;
    return new KeptMemory(whole, whole.atMost(part), whole.atMost(part));
  }

  /** What a series takes, with its key as it was read and as bytes; strings may need two each. */
  static long bytesOf(FleetSeries series, byte[] key) {
    return SERIES_BYTES + 3L * key.length + LABEL_BYTES * series.key().labels().size();
  }
}
