package io.hdrsidecar.sidecar.history;

/** Some neighbouring intervals, as they will stand in a lane. Reused; one thread. */
final class Segment {
  private static final byte[] NONE = {};

  private final long[] starts;
  private final long[] ends;
  private final byte[][] packed;
  private int size;

  Segment(int capacity) {
    starts = new long[capacity];
    ends = new long[capacity];
    packed = new byte[capacity][];
  }

  /** Forgets all, and what it referred to. */
  void clear() {
    for (int i = 0; i < size; i++) {
      packed[i] = NONE;
    }
    size = 0;
  }

  void add(long start, long end, byte[] bytes) {
    starts[size] = start;
    ends[size] = end;
    packed[size] = bytes;
    size++;
  }

  void setLast(long start, long end, byte[] bytes) {
    size--;
    add(start, end, bytes);
  }

  int size() {
    return size;
  }

  long startAt(int i) {
    return starts[i];
  }

  long endAt(int i) {
    return ends[i];
  }

  byte[] packedAt(int i) {
    return packed[i];
  }
}
