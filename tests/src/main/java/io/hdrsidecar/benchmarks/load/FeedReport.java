package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a feeder prints as its last line, for the program that has started it.
 *
 * @param sent intervals sent in all, each acknowledged
 * @param values values in them
 * @param measured intervals acknowledged in the measured time
 * @param nanos the measured time
 * @param cpuNanos processor time of the sidecar in it
 * @param late turns of a second that were not acknowledged within it
 */
record FeedReport(long sent, long values, long measured, long nanos, long cpuNanos, long late) {
  private static final Pattern LINE =
      Pattern.compile(
          "sent=(?<sent>\\d+) values=(?<values>\\d+) measured=(?<measured>\\d+)"
              + " nanos=(?<nanos>\\d+) cpu=(?<cpu>\\d+) late=(?<late>\\d+)");

  /** Both together, as of feeders that ran at the same time. */
  FeedReport and(FeedReport other) {
    return new FeedReport(
        sent + other.sent,
        values + other.values,
        measured + other.measured,
        Math.max(nanos, other.nanos),
        Math.max(cpuNanos, other.cpuNanos),
        late + other.late);
  }

  /** In the form that {@link #in} reads. */
  String line() {
    return "sent="
        + sent
        + " values="
        + values
        + " measured="
        + measured
        + " nanos="
        + nanos
        + " cpu="
        + cpuNanos
        + " late="
        + late;
  }

  /** Finds the line among others. */
  static FeedReport in(List<String> output) throws IOException {
    for (String line : output) {
      Matcher figures = LINE.matcher(line);
      if (figures.matches()) {
        return new FeedReport(
            Long.parseLong(figures.group("sent")),
            Long.parseLong(figures.group("values")),
            Long.parseLong(figures.group("measured")),
            Long.parseLong(figures.group("nanos")),
            Long.parseLong(figures.group("cpu")),
            Long.parseLong(figures.group("late")));
      }
    }
    throw new IOException("the feeder did not report: " + output);
  }
}
