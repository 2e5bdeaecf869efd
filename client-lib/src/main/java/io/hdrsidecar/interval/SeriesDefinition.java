package io.hdrsidecar.interval;

/**
 * All that is said once about a series: its key, what its values mean, and where they are counted.
 *
 * @param key name and labels
 * @param unit unit of the values
 * @param help one line for the reader of the metric; may be empty
 * @param layout lowest discernible value and significant digits
 * @param highestTrackableValue larger values count as this one; at least twice the lowest
 *     discernible value
 */
public record SeriesDefinition(
    SeriesKey key, Unit unit, String help, BucketLayout layout, long highestTrackableValue) {
  private static final int MAX_HELP_LENGTH = 1024;

  /** Checks the range and the length of the help; throws IllegalArgumentException. */
  public SeriesDefinition {
    int counters = layout.countersUpTo(highestTrackableValue);
    assert counters > 0;
    if (help.length() > MAX_HELP_LENGTH) {
      throw new IllegalArgumentException(
          "help of "
              + key
              + " must have at most "
              + MAX_HELP_LENGTH
              + " characters: "
              + help.length());
    }
  }

  /** Counters needed for the whole range. */
  public int counters() {
    return layout.countersUpTo(highestTrackableValue);
  }
}
