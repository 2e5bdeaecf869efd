package io.hdrsidecar.internal.text;

/** Names, label values and help texts as users give them. Any thread. */
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
}
