package io.hdrsidecar.fleet.topic;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The topics of one fleet. Another prefix is another fleet on the same brokers.
 *
 * @param prefix as Kafka allows: letters, digits, {@code . _ -}, at most 200 characters
 */
public record TopicNames(String prefix) {
  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9._-]{1,200}");

  /** Checks the prefix; throws IllegalArgumentException when Kafka would refuse it. */
  public TopicNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix of topics must have 1 to 200 letters, digits, dots, underscores or dashes: "
              + prefix);
    }
  }

  /** Intervals, by series: {@code hdr.intervals}. */
  public String intervals() {
    return prefix + ".intervals";
  }

  /** What is said once about a series, compacted: {@code hdr.series}. */
  public String series() {
    return prefix + ".series";
  }

  /** Both: each must have the same number of partitions, for ever. */
  public List<String> all() {
    return List.of(intervals(), series());
  }
}
