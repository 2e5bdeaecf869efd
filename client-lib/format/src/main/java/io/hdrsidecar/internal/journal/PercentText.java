package io.hdrsidecar.internal.journal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Text as printable ASCII without blanks, other bytes of its UTF-8 written as in URLs. */
final class PercentText {
  private PercentText() {}

  /**
   * Encodes.
   *
   * @param alsoEncoded printable characters that must not stand for themselves
   */
  static String encode(String text, String alsoEncoded) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > ' ' && b < 0x7f && b != '%' && alsoEncoded.indexOf(b) < 0;
      if (plain) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(String.format("%02x", b & 0xff));
      }
    }
    return encoded.toString();
  }

  /**
   * Decodes.
   *
   * @throws IllegalArgumentException for a percent sign without two digits
   */
  static String decode(String encoded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        if (i + 2 >= encoded.length()) {
          throw new IllegalArgumentException("% must be followed by two digits: " + encoded);
        }
        bytes.write(Integer.parseInt(encoded.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
