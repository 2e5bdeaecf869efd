package io.hdrsidecar.internal.hlog;

import java.util.Arrays;

/**
 * Decodes base64 between two places of a line into an array that is reused, without a copy of the
 * text. Takes what {@link java.util.Base64#getDecoder()} takes, so padding may be missing. One
 * thread at a time.
 */
final class Base64Text {
  private static final byte[] SIX_BITS = sixBits();

  private byte[] bytes = new byte[1024];
  private int length;

  private static byte[] sixBits() {
    byte[] table = new byte[256];
    Arrays.fill(table, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      table[alphabet.charAt(i)] = (byte) i;
    }
    return table;
  }

  /** What was decoded, up to {@link #length()}; overwritten by the next call. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /**
   * Decodes.
   *
   * @throws IllegalArgumentException with the reason when the text is no base64
   */
  void decode(byte[] text, int from, int to) {
    int end = withoutPadding(text, from, to);
    int needed = (int) ((end - from) * 3L / 4) + 3;
    if (bytes.length < needed) {
      bytes = new byte[Math.max(needed, (int) Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8))];
    }
    int whole = from + (end - from) / 4 * 4;
    byte[] table = SIX_BITS;
    byte[] out = bytes;
    int at = 0;
    for (int i = from; i < whole; i += 4) {
      int word =
          table[text[i] & 0xff] << 18
              | table[text[i + 1] & 0xff] << 12
              | table[text[i + 2] & 0xff] << 6
              | table[text[i + 3] & 0xff];
      if (word < 0) { // a character without six bits makes all higher bits ones
        throw illegal(text, i, i + 4);
      }
      out[at] = (byte) (word >> 16);
      out[at + 1] = (byte) (word >> 8);
      out[at + 2] = (byte) word;
      at += 3;
    }
    length = at + decodeRest(text, whole, end, at);
  }

  /** One byte from two characters or two from three. */
  private int decodeRest(byte[] text, int from, int end, int at) {
    int rest = end - from;
    if (rest == 0) {
      return 0;
    }
    if (rest == 1) {
      throw new IllegalArgumentException("the last character stands alone");
    }
    int word = 0;
    for (int i = 0; i < 3; i++) {
      word = word << 6 | (from + i < end ? SIX_BITS[text[from + i] & 0xff] : 0);
    }
    if (word < 0) {
      throw illegal(text, from, end);
    }
    bytes[at] = (byte) (word >> 10);
    bytes[at + 1] = (byte) (word >> 2);
    return rest - 1;
  }

  private static int withoutPadding(byte[] text, int from, int to) {
    int end = to;
    while (end > from && to - end < 2 && text[end - 1] == '=') {
      end--;
    }
    if (end < to && (to - from) % 4 != 0) {
      throw new IllegalArgumentException("padding does not fill the last four characters");
    }
    return end;
  }

  private static IllegalArgumentException illegal(byte[] text, int from, int to) {
    int i = from;
    while (i < to - 1 && SIX_BITS[text[i] & 0xff] >= 0) {
      i++;
    }
    return new IllegalArgumentException(
        String.format("illegal character 0x%02x at %d", text[i] & 0xff, i));
  }
}
