package io.hdrsidecar.sidecar.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tags as parts of file names. */
final class TagFileName {
  /** How files of intervals without a tag are called. */
  static final String UNTAGGED = "default";

  private TagFileName() {}

  /**
   * The tag, with everything but letters, digits, {@code _}, {@code -} and inner dots as {@code
   * %xx}, so that different tags have different names on any file system and none leads elsewhere;
   * {@value #UNTAGGED} without a tag, and {@code %64efault} for a tag that is called so.
   */
  static String of(String tag) {
    if (tag.isEmpty()) {
      return UNTAGGED;
    }
    StringBuilder name = new StringBuilder();
    for (byte b : tag.getBytes(StandardCharsets.UTF_8)) {
      boolean first = name.isEmpty();
      if (isLetterOrDigit(b) ? !(first && tag.equals(UNTAGGED)) : b == '.' && !first) {
        name.append((char) b);
      } else {
        name.append(String.format(Locale.ROOT, "%%%02x", b));
      }
    }
    return name.toString();
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '_'
        || b == '-';
  }
}
