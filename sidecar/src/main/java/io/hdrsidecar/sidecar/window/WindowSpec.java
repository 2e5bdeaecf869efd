package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.sidecar.input.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A sliding window: how far back it looks and in which steps it moves.
 *
 * <p>The window holds every interval that ended within the last {@code span}, and, as of its last
 * step, none that ended more than {@code span + step} before. Steps are taken with each interval
 * and at least once a second. Memory grows with {@code span / step}.
 *
 * @param name value of the {@code window} label and of the query parameter, such as {@code 1m}
 * @param span at least 1 s; a whole number of steps, at most 3600
 * @param step at least 1 s
 */
public record WindowSpec(String name, Duration span, Duration step) {
  private static final int MAX_STEPS = 3600;
  private static final int DEFAULT_STEPS = 60;
  private static final Duration MIN_STEP = Duration.ofSeconds(1);
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{1,32}");

  /** Checks the ranges; throws IllegalArgumentException. */
  public WindowSpec {
    if (!NAME.matcher(name).matches() || name.equals("total")) {
      throw new IllegalArgumentException(
          "window name must match " + NAME.pattern() + " and not be total: " + name);
    }
    if (step.compareTo(MIN_STEP) < 0) {
      throw new IllegalArgumentException("step of window " + name + " must be at least 1s");
    }
    long steps = nanos(span) / nanos(step);
    if (steps < 1 || steps > MAX_STEPS || nanos(span) % nanos(step) != 0) {
      throw new IllegalArgumentException(
          "span of window " + name + " must be a whole number of steps, 1 to " + MAX_STEPS);
    }
  }

  /**
   * The window written so: {@code 1m}, or span and step as {@code 5m/5s}. Without a step it is a
   * sixtieth of the span, and at least 1 s.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static WindowSpec parse(String text) {
    String[] parts = text.strip().split("/", 2);
    Duration span = DurationText.parse(parts[0]);
    return new WindowSpec(
        parts[0], span, parts.length == 2 ? DurationText.parse(parts[1]) : defaultStep(span));
  }

  /**
   * The windows of a comma separated list.
   *
   * @throws IllegalArgumentException as {@link #parse}; also for a name used twice
   */
  public static List<WindowSpec> parseList(String text) {
    List<WindowSpec> windows = Arrays.stream(text.split(",")).map(WindowSpec::parse).toList();
    requireDistinctNames(windows);
    return windows;
  }

  /** Throws IllegalArgumentException when two windows have one name. */
  public static void requireDistinctNames(List<WindowSpec> windows) {
    if (windows.stream().map(WindowSpec::name).distinct().count() != windows.size()) {
      throw new IllegalArgumentException("window names must differ: " + windows);
    }
  }

  private static Duration defaultStep(Duration span) {
    Duration step = Duration.ofNanos(nanos(span) / DEFAULT_STEPS);
    return step.compareTo(MIN_STEP) < 0 ? MIN_STEP : step;
  }

  /**
   * Up to 292 years. A {@link Duration} divides as a {@code BigDecimal}, whose tables take longer
   * to make than all other settings to read.
   */
  private static long nanos(Duration duration) {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    return duration.compareTo(longest) < 0 ? duration.toNanos() : Long.MAX_VALUE;
  }

  /** How many steps make the span. */
  public int steps() {
    return (int) (nanos(span) / nanos(step));
  }
}
