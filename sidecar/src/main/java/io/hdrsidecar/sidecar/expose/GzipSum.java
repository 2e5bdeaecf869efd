package io.hdrsidecar.sidecar.expose;

/**
 * The end of a page in gzip, which tells of its bytes: their CRC-32 and their number. Two pieces,
 * each with its sum, have one together, from any compressor and in any order.
 *
 * <p>A CRC is the rest of a division of polynomials over GF(2). Behind the first piece come as many
 * zero bits as the second has, which multiplies its CRC by x to that power; squaring gives the
 * powers x^8, x^16, x^32 and so on, so the cost is the logarithm of the length.
 *
 * @param crc as {@link java.util.zip.CRC32} gives it
 * @param length in bytes
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952#section-8">RFC 1952</a>
 */
record GzipSum(int crc, long length) {
  /** Of nothing. */
  static final GzipSum EMPTY = new GzipSum(0, 0);

  /** The polynomial of CRC-32, reflected. */
  private static final int POLYNOMIAL = 0xEDB88320;

  /** The polynomial 1; bits are reflected, so x to the power n is this shifted right by n. */
  private static final int ONE = 0x80000000;

  private static final int X_TO_8 = ONE >>> 8;

  /** The sum of these bytes with others behind them. */
  GzipSum then(GzipSum other) {
    int power = ONE;
    int square = X_TO_8;
    for (long rest = other.length; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        power = product(power, square);
      }
      square = product(square, square);
    }
    return new GzipSum(product(power, crc) ^ other.crc, length + other.length);
  }

  private static int product(int a, int b) {
    int sum = 0;
    int shifted = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      if ((a & bit) != 0) {
        sum ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : shifted >>> 1 ^ POLYNOMIAL;
    }
    return sum;
  }
}
