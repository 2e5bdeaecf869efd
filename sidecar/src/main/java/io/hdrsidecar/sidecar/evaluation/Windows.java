package io.hdrsidecar.sidecar.evaluation;

import java.util.Arrays;

/**
 * The windows of one selector, one for each step: each holds what ended after its beginning and up
 * to its end.
 */
final class Windows {
  private final long[] ends;
  private final long lengthMillis;

  /** Where windows begin and end, ascending, each once. */
  private final long[] cuts;

  /**
   * Windows.
   *
   * @param ends ascending, milliseconds since the epoch; at least one
   * @param lengthMillis of each
   */
  Windows(long[] ends, long lengthMillis) {
    this.ends = ends.clone();
    this.lengthMillis = lengthMillis;
    long[] all = Arrays.copyOf(ends, 2 * ends.length);
    for (int i = 0; i < ends.length; i++) {
      all[ends.length + i] = ends[i] - lengthMillis;
    }
    this.cuts = Arrays.stream(all).sorted().distinct().toArray();
  }

  int count() {
    return ends.length;
  }

  /** What these take. */
  long bytes() {
    return Long.BYTES * ((long) ends.length + 2L * cuts.length);
  }

  /** Excluded. */
  long beginAt(int step) {
    return ends[step] - lengthMillis;
  }

  /** Included. */
  long endAt(int step) {
    return ends[step];
  }

  long lengthMillis() {
    return lengthMillis;
  }

  int cuts() {
    return cuts.length;
  }

  long cutAt(int i) {
    return cuts[i];
  }

  /** Whether one begins before the one in front of it has ended. */
  boolean overlap() {
    for (int i = 1; i < ends.length; i++) {
      if (ends[i] > ends[i - 1] && ends[i] - lengthMillis < ends[i - 1]) {
        return true;
      }
    }
    return false;
  }

  /** Where the first begins. */
  long fromMillis() {
    return ends[0] - lengthMillis;
  }

  /** Where the last ends. */
  long toMillis() {
    return ends[ends.length - 1];
  }
}
