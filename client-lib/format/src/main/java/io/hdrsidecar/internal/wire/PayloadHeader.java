package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The header of one histogram that is not compressed, checked against the limits. Reused from
 * payload to payload, so that decoding one allocates nothing.
 */
final class PayloadHeader {
  /** Length of the counts where the header does not tell it (V0). */
  static final int NOT_TOLD = -1;

  /** Word size that stands for the numbers of variable length of V2. */
  static final int VARIABLE = 0;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final int maxCounters;
  private final boolean ofLogs;
  private BucketLayout layout = BucketLayout.of(1, 3);
  private long highest;
  private int counters;
  private int bytes;
  private int countsBytes;
  private int wordBytes;

  /**
   * A header of payloads with limits.
   *
   * @param ofLogs whether offset and ratio say nothing; see {@link HistogramDecoder#ofLogs}
   */
  PayloadHeader(int maxCounters, boolean ofLogs) {
    this.maxCounters = maxCounters;
    this.ofLogs = ofLogs;
  }

  static int shortAt(byte[] source, int offset) {
    return (short) SHORT.get(source, offset);
  }

  static int intAt(byte[] source, int offset) {
    return (int) INT.get(source, offset);
  }

  BucketLayout layout() {
    return layout;
  }

  long highest() {
    return highest;
  }

  int counters() {
    return counters;
  }

  /** Length of the header itself. */
  int bytes() {
    return bytes;
  }

  /** Declared length of the counts, or {@link #NOT_TOLD}. */
  int countsBytes() {
    return countsBytes;
  }

  /** 2, 4, 8 or {@link #VARIABLE}. */
  int wordBytes() {
    return wordBytes;
  }

  /** No counts of this configuration have more bytes. */
  long mostCountsBytes() {
    return (long) counters * (wordBytes == VARIABLE ? HistogramEncoding.MAX_WORD_BYTES : wordBytes);
  }

  void read(byte[] source, int offset, int length) throws MalformedFrameException {
    int cookie = length < Integer.BYTES ? 0 : intAt(source, offset);
    int base = HistogramEncoding.base(cookie);
    boolean v0 = base == HistogramEncoding.V0;
    if (!v0 && base != HistogramEncoding.V1 && base != HistogramEncoding.V2) {
      throw bad(String.format("no HdrHistogram cookie inside: %08x", cookie));
    }
    bytes = v0 ? HistogramEncoding.V0_HEADER_BYTES : HistogramEncoding.HEADER_BYTES;
    if (length < bytes) {
      throw bad("header must have " + bytes + " bytes: " + length);
    }
    wordBytes = base == HistogramEncoding.V2 ? variableWords(cookie) : words(cookie);
    countsBytes = v0 ? NOT_TOLD : countsBytesOf(source, offset);
    int configuration = offset + (v0 ? 4 : 12);
    configure(
        intAt(source, configuration),
        (long) LONG.get(source, configuration + 4),
        (long) LONG.get(source, configuration + 12));
  }

  /** Only the inside of a DoubleHistogram needs an offset or a ratio, and no frame holds one. */
  private int countsBytesOf(byte[] source, int offset) throws MalformedFrameException {
    int declared = intAt(source, offset + 4);
    int normalizing = intAt(source, offset + 8);
    double ratio = Double.longBitsToDouble((long) LONG.get(source, offset + 32));
    if (declared < 0 || (!ofLogs && (normalizing != 0 || ratio != 1.0))) {
      throw bad(
          "only histograms of integers, not shifted, are read: length "
              + declared
              + ", normalizing offset "
              + normalizing
              + ", conversion ratio "
              + ratio);
    }
    return declared;
  }

  private static int variableWords(int cookie) throws MalformedFrameException {
    if ((cookie & 0xf0) != HistogramEncoding.VARIABLE_WORDS) {
      throw bad(String.format("V2 cookie must be 1c849313: %08x", cookie));
    }
    return VARIABLE;
  }

  private static int words(int cookie) throws MalformedFrameException {
    int size = HistogramEncoding.wordBytes(cookie) & 0xe;
    if (size != 2 && size != 4 && size != 8) {
      throw bad("words must have 2, 4 or 8 bytes: " + size);
    }
    return size;
  }

  private void configure(int digits, long lowest, long highestTrackableValue)
      throws MalformedFrameException {
    try {
      if (layout.lowestDiscernibleValue() != lowest || layout.significantDigits() != digits) {
        layout = BucketLayout.of(lowest, digits);
      }
      highest = highestTrackableValue;
      counters = layout.countersUpTo(highest);
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
    if (counters > maxCounters) {
      throw new MalformedFrameException(
          RejectReason.CONFIGURATION_LIMIT,
          "at most "
              + maxCounters
              + " counters, but "
              + layout
              + ",highest="
              + highest
              + " needs "
              + counters
              + "; use fewer significant digits or a smaller range");
    }
  }

  private static MalformedFrameException bad(String message) {
    return new MalformedFrameException(RejectReason.BAD_PAYLOAD, message);
  }
}
