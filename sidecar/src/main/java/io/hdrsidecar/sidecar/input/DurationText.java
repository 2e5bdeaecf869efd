package io.hdrsidecar.sidecar.input;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 100ms}, {@code 10s}, {@code 5m}, {@code 24h}. */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * The duration written so: a whole number and one of {@code ms}, {@code s}, {@code m}, {@code h},
   * {@code d}.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration such as 500ms, 10s, 5m or 24h: " + text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
