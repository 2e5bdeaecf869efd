package io.hdrsidecar.fleet.node;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The value of a step: what it counted, in two parts, as not each commit writes the total of a
 * series ({@link Totals}). Big endian:
 *
 * <pre>
 *  0  int32   length of the step in milliseconds
 *  4  int64   the mark of the total that lacks the second part
 * 12  uint32  length of the first part, P; 0 if there is none
 * 16  P bytes the first part, which the total has: a sum, as {@link SumBytes} has it
 * 16+P        the second part, likewise; nothing if there is none
 * </pre>
 *
 * <p>A total that has another mark was written since, and has both parts. One thread at a time.
 */
final class StepValue {
  private static final int FIXED_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;

  private static final byte[] NONE = {};

  private long length;
  private long mark;
  private final SeriesSum had;
  private SeriesSum lacked;

  private StepValue(long length, long mark, SeriesSum had, SeriesSum lacked) {
    this.length = length;
    this.mark = mark;
    this.had = had;
    this.lacked = lacked;
  }

  /** One that has counted nothing. */
  static StepValue empty(long lengthMillis) {
    return new StepValue(lengthMillis, 0, new SeriesSum(), new SeriesSum());
  }

  /** How long the step is, in milliseconds, without reading the rest. */
  static long length(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  /**
   * Reads what was written.
   *
   * @throws IllegalStateException when it is damaged
   */
  static StepValue read(byte[] bytes, SumBytes sums) {
    if (bytes.length < FIXED_BYTES) {
      throw new IllegalStateException("a step in a store is damaged: " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int length = in.getInt();
    long mark = in.getLong();
    int first = in.getInt();
    if (first < 0 || first > in.remaining()) {
      throw new IllegalStateException("a step in a store is damaged: part of " + first + " bytes");
    }
    int second = FIXED_BYTES + first;
    return new StepValue(
        length,
        mark,
        sum(bytes, FIXED_BYTES, second, sums),
        sum(bytes, second, bytes.length, sums));
  }

  private static SeriesSum sum(byte[] bytes, int from, int to, SumBytes sums) {
    return from == to ? new SeriesSum() : sums.read(Arrays.copyOfRange(bytes, from, to));
  }

  byte[] bytes(SumBytes sums) {
    byte[] first = had.intervals() == 0 ? NONE : sums.write(had);
    byte[] second = lacked.intervals() == 0 ? NONE : sums.write(lacked);
    return bytes(length, mark, first, second);
  }

  /**
   * One that has nothing but what the total with this mark lacks.
   *
   * @param lacked as {@link SumBytes} has it
   */
  static byte[] ofLacked(long length, long mark, byte[] lacked) {
    return bytes(length, mark, NONE, lacked);
  }

  private static byte[] bytes(long length, long mark, byte[] first, byte[] second) {
    return ByteBuffer.allocate(FIXED_BYTES + first.length + second.length)
        .putInt((int) length)
        .putLong(mark)
        .putInt(first.length)
        .put(first)
        .put(second)
        .array();
  }

  long length() {
    return length;
  }

  /** A step may have become longer since it was written. */
  void lengthen(long toMillis) {
    length = Math.max(length, toMillis);
  }

  /** Whether both parts and this can be added up. */
  boolean hasRoomFor(SeriesSum more) {
    return whole().hasRoomFor(more, Byte.MAX_VALUE);
  }

  /** Adds what the total has, too. */
  void add(SeriesSum more) {
    had.add(more);
  }

  /** Adds what the total with this mark lacks. */
  void addLacked(SeriesSum more, long markOfTotal) {
    if (mark != markOfTotal) {
      had.add(lacked);
      lacked = new SeriesSum();
      mark = markOfTotal;
    }
    lacked.add(more);
  }

  /** What the total with this mark lacks. */
  SeriesSum lackedBy(long markOfTotal) {
    return mark == markOfTotal ? lacked : new SeriesSum();
  }

  /** All that the step has counted. */
  SeriesSum whole() {
    SeriesSum whole = new SeriesSum();
    whole.add(had);
    whole.add(lacked);
    return whole;
  }
}
