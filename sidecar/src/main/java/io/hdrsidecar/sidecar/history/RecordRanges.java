package io.hdrsidecar.sidecar.history;

import java.util.Arrays;

/** A set of numbers of records, as ranges in rising order that neither meet nor overlap. */
public final class RecordRanges {
  private long[] firsts = new long[4];
  private long[] lasts = new long[4];
  private int size;

  /**
   * Adds a range; those that meet become one.
   *
   * @param first not below the first of any range added before
   * @param last likewise included, not below {@code first}
   */
  public void add(long first, long last) {
    if (size > 0 && first <= lasts[size - 1] + 1) {
      lasts[size - 1] = Math.max(lasts[size - 1], last);
      return;
    }
    if (size == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * size);
      lasts = Arrays.copyOf(lasts, 2 * size);
    }
    firsts[size] = first;
    lasts[size++] = last;
  }

  /** Adds all ranges of another that begins behind what is here. */
  public void addAll(RecordRanges later) {
    for (int i = 0; i < later.size; i++) {
      add(later.firsts[i], later.lasts[i]);
    }
  }

  /** The numbers that are in one or both of two sets, as a set of its own. O(ranges of both). */
  public static RecordRanges of(RecordRanges one, RecordRanges other) {
    RecordRanges both = new RecordRanges();
    int i = 0;
    int j = 0;
    while (i < one.size || j < other.size) {
      if (j == other.size || (i < one.size && one.firsts[i] <= other.firsts[j])) {
        both.add(one.firsts[i], one.lasts[i++]);
      } else {
        both.add(other.firsts[j], other.lasts[j++]);
      }
    }
    return both;
  }

  /** Whether the record is one of them. O(log ranges). */
  public boolean contains(long record) {
    return containsAll(record, record);
  }

  /** Whether all records from the first to the last are among them. O(log ranges). */
  public boolean containsAll(long first, long last) {
    int found = Arrays.binarySearch(firsts, 0, size, first);
    int i = found >= 0 ? found : -found - 2;
    return i >= 0 && first >= firsts[i] && last <= lasts[i];
  }

  /** Number of ranges. */
  public int size() {
    return size;
  }

  /** First record of a range. */
  public long firstOf(int range) {
    return firsts[range];
  }

  /** Last record of a range. */
  public long lastOf(int range) {
    return lasts[range];
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : ", ").append(firsts[i]).append("..").append(lasts[i]);
    }
    return text.append(']').toString();
  }
}
