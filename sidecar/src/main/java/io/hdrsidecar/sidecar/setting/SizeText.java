package io.hdrsidecar.sidecar.setting;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 512B}, {@code 64KiB}, {@code 1MiB}, {@code 2GiB}. */
public final class SizeText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)");

  private SizeText() {}

  /**
   * The size written so, in bytes.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static long parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a size such as 512B, 64KiB or 1MiB: " + text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "B" -> amount;
      case "KiB" -> amount << 10;
      case "MiB" -> amount << 20;
      default -> amount << 30;
    };
  }
}
