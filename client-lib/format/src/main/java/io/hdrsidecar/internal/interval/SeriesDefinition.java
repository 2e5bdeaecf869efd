package io.hdrsidecar.internal.interval;

import io.hdrsidecar.internal.text.UserText;
import io.hdrsidecar.series.Unit;

/**
 * All that is said once about a series: its key, what its values mean, and where they are counted.
 *
 * @param key name and labels
 * @param unit unit of the values
 * @param help one line for the reader of the metric; may be empty
 * @param layout where values are counted
 * @param highestTrackableValue larger values count as this one; at least {@link
 *     BucketLayout#leastHighestValue}
 */
public record SeriesDefinition(
    SeriesKey key, Unit unit, String help, BucketLayout layout, long highestTrackableValue) {
  private static final int MAX_HELP_LENGTH = 1024;

  /** Itself, its key, its map of labels, and entries of maps that lead to it. */
  private static final int OBJECT_BYTES = 512;

  private static final int ENTRY_BYTES = 40;
  private static final int STRING_BYTES = 48;

  /** Checks the range and the help; throws IllegalArgumentException. */
  public SeriesDefinition {
    layout.requireRange(highestTrackableValue);
    if (help.length() > MAX_HELP_LENGTH || !UserText.isUnicode(help)) {
      throw new IllegalArgumentException(
          "help of "
              + key
              + " must be Unicode text of at most "
              + MAX_HELP_LENGTH
              + " characters: "
              + UserText.abbreviated(help));
    }
  }

  /** Counters needed for the whole range. */
  public int counters() {
    return layout.countersUpTo(highestTrackableValue);
  }

  /** Memory that it takes on the heap, and who holds it by an id, in bytes, as estimated. */
  public long heapBytes() {
    long[] bytes = {OBJECT_BYTES + textBytes(key.name()) + textBytes(help) + layout.heapBytes()};
    key.labels()
        .forEach((name, value) -> bytes[0] += ENTRY_BYTES + textBytes(name) + textBytes(value));
    return bytes[0];
  }

  private static long textBytes(String text) {
    return STRING_BYTES + 2L * text.length();
  }
}
