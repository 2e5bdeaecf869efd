package io.hdrsidecar.sidecar.export;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** What a receiver asks to wait: seconds, or a moment (RFC 9110, 10.2.3). */
final class RetryAfter {
  /** More is not waited, whatever is asked: the header may be a mistake, or hostile. */
  static final Duration LONGEST = Duration.ofMinutes(5);

  private RetryAfter() {}

  /** From 0 to {@link #LONGEST}; 0 for a text that is neither. */
  static Duration read(String header, Instant now) {
    String text = header.strip();
    try {
      Duration asked =
          text.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(text))
              : Duration.between(
                  now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
      Duration forward = asked.isNegative() ? Duration.ZERO : asked;
      return forward.compareTo(LONGEST) > 0 ? LONGEST : forward;
    } catch (DateTimeException e) {
      return text.matches("\\d+") ? LONGEST : Duration.ZERO;
    }
  }
}
