package io.hdrsidecar.internal.text;

import java.time.Duration;
import java.util.Locale;

/** Names, label values and help texts as users give them, and durations for them. Any thread. */
public final class UserText {
  private static final int MOST_SHOWN = 80;

  private UserText() {}

  /** Whether it has a UTF-8: half a surrogate pair would arrive as another text than was sent. */
  public static boolean isUnicode(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** As much of it as a message should show: {@value #MOST_SHOWN} characters. */
  public static String abbreviated(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }

  /** A duration for people, such as 10ms, 1h or 1m30s. */
  public static String shown(Duration value) {
    return value.toSeconds() == 0 && value.toMillis() > 0
        ? value.toMillis() + "ms"
        : value.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
