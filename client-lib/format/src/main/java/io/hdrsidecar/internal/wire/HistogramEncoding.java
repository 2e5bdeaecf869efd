package io.hdrsidecar.internal.wire;

/**
 * HdrHistogram's encodings, as numbers. Big endian.
 *
 * <pre>
 * V2 and V1:  0  int32   cookie
 *             4  int32   length of the counts, in bytes
 *             8  int32   normalizing index offset; 0 here
 *            12  int32   significant digits
 *            16  int64   lowest discernible value
 *            24  int64   highest trackable value
 *            32  double  integer to double conversion ratio; 1.0 here
 *            40          counts
 * V0:         0  int32   cookie
 *             4  int32   significant digits
 *             8  int64   lowest discernible value
 *            16  int64   highest trackable value
 *            24  int64   total count
 *            32          counts
 * compressed: 0  int32   cookie
 *             4  int32   length of what follows
 *             8          one of the above, deflated
 * </pre>
 *
 * <p>Counts of V2 are ZigZag LEB128 numbers of at most nine bytes, where -n stands for n empty
 * buckets; counts of V0 and V1 are words whose size the cookie tells.
 *
 * <p>Source: HdrHistogram 2.2, {@code AbstractHistogram.encodeIntoByteBuffer}.
 */
final class HistogramEncoding {
  static final int V0 = 0x1c849308;
  static final int V0_COMPRESSED = 0x1c849309;
  static final int V1 = 0x1c849301;
  static final int V1_COMPRESSED = 0x1c849302;
  static final int V2 = 0x1c849303;
  static final int V2_COMPRESSED = 0x1c849304;

  /** Says "words of variable size" where V0 and V1 say 2, 4 or 8. */
  static final int VARIABLE_WORDS = 0x10;

  /** Longest number of V2. */
  static final int MAX_WORD_BYTES = 9;

  static final int HEADER_BYTES = 40;
  static final int V0_HEADER_BYTES = 32;
  static final int COMPRESSED_HEADER_BYTES = 8;

  private HistogramEncoding() {}

  static int base(int cookie) {
    return cookie & ~0xf0;
  }

  static int wordBytes(int cookie) {
    return (cookie & 0xf0) >> 4;
  }
}
