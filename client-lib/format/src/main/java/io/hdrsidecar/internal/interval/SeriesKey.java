package io.hdrsidecar.internal.interval;

import io.hdrsidecar.internal.text.UserText;
import io.hdrsidecar.series.Labels;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a series is called: one name with one set of labels.
 *
 * @param name as Prometheus allows: {@code [a-zA-Z_:][a-zA-Z0-9_:]*}, at most 200 characters,
 *     without the unit, which the exposition appends
 * @param labels the labels
 */
public record SeriesKey(String name, Labels labels) {
  private static final int MAX_NAME_LENGTH = 200;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");

  /** Checks the name; throws IllegalArgumentException when Prometheus would refuse it. */
  public SeriesKey {
    if (name.length() > MAX_NAME_LENGTH || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "series name must match [a-zA-Z_:][a-zA-Z0-9_:]* and have at most "
              + MAX_NAME_LENGTH
              + " characters: "
              + UserText.abbreviated(name));
    }
  }

  // What a record has by itself is made by method handles, which takes some 10 ms of each start.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SeriesKey key && name.equals(key.name) && labels.equals(key.labels);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + labels.hashCode();
  }

  /** As in PromQL: {@code checkout{route="/pay"}}. */
  @Override
  public String toString() {
    return name + labels;
  }
}
