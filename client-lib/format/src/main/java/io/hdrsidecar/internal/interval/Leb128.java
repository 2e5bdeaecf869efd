package io.hdrsidecar.internal.interval;

/**
 * Numbers in as few bytes as they need: seven bits a byte, the lowest first, and the highest bit of
 * a byte says that more follow. Numbers have no sign; a negative one takes ten bytes.
 *
 * <p>Source: unsigned LEB128 of DWARF, and "Base 128 Varints" of Protocol Buffers.
 */
public final class Leb128 {
  /** Of a number of 64 bits. */
  public static final int MAX_BYTES = 10;

  private Leb128() {}

  /**
   * Writes a number.
   *
   * @param out has room for {@link #length} bytes from {@code at} on
   * @return where it ends
   */
  public static int put(byte[] out, int at, long number) {
    long rest = number;
    int position = at;
    while (rest >>> 7 != 0) {
      out[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[position++] = (byte) rest;
    return position;
  }

  /** Reads what {@link #put} has written there; of bytes that it has not written, anything. */
  public static long get(byte[] in, int at) {
    int position = at;
    long next = in[position];
    long number = next & 0x7f;
    for (int shift = 7; next < 0; shift += 7) {
      next = in[++position];
      number |= (next & 0x7f) << shift;
    }
    return number;
  }

  /** How many bytes {@link #put} writes. */
  public static int length(long number) {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(number | 1)) / 7 + 1;
  }
}
