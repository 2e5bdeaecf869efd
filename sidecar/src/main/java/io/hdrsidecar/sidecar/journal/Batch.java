package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way from the merge context to the writer, as bytes: one copy and no object for
 * each. Filled by one thread, then read by the other, then filled again.
 *
 * <pre>
 *  0 int64  record                      48 int64  sum, upper 64 bits
 *  8 int64  instance, upper 64 bits     56 int64  sum, lower 64 bits
 * 16 int64  instance, lower 64 bits     64 int64  smallest value
 * 24 int64  sequence; or -1 or -2, below 72 int64  largest value
 * 32 int64  start                       80 int32  payload length P; top bit: sum is estimated
 * 40 int64  end                         84        payload, P bytes
 * </pre>
 *
 * Sequence -1 is a GOODBYE, -2 the end of a series; of both, what follows is 0.
 */
final class Batch {
  private static final int FIXED_BYTES = 84;
  private static final int ESTIMATED = 1 << 31;
  static final long GOODBYE = -1;
  static final long SERIES_END = -2;
  private static final InstanceId NOBODY = new InstanceId(0, 0);

  /** Larger ones are not kept to be filled again. */
  private static final int MAX_KEPT_BYTES = 128 << 10;

  /** With the references to series. */
  static final int MOST_KEPT_BYTES = 132 << 10;

  private ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
  private @Nullable JournalSeries[] series = new JournalSeries[256];
  private int records;
  private long lastRecord;
  private int next;
  private int readAt;
  private InstanceId sender = new InstanceId(0, 0);

  boolean isEmpty() {
    return records == 0;
  }

  int size() {
    return bytes.position();
  }

  int records() {
    return records;
  }

  long lastRecord() {
    return lastRecord;
  }

  void clear() {
    bytes.clear();
    if (bytes.capacity() > MAX_KEPT_BYTES) {
      bytes = ByteBuffer.allocate(64 << 10);
    }
    Arrays.fill(series, 0, records, null);
    records = 0;
  }

  void addInterval(
      long record,
      InstanceId from,
      long sequence,
      JournalSeries ofSeries,
      IntervalCounts counted,
      long startMillis,
      long endMillis,
      ByteBuffer payload) {
    SumMinMax sumMinMax = counted.sumMinMax();
    add(record, from, ofSeries, FIXED_BYTES + payload.remaining());
    bytes
        .putLong(sequence)
        .putLong(startMillis)
        .putLong(endMillis)
        .putLong(sumMinMax.sum().high())
        .putLong(sumMinMax.sum().low())
        .putLong(sumMinMax.min())
        .putLong(sumMinMax.max())
        .putInt(payload.remaining() | (sumMinMax.isSumExact() ? 0 : ESTIMATED))
        .put(payload);
  }

  void addGoodbye(long record, InstanceId leaving) {
    add(record, leaving, null, FIXED_BYTES);
    putFact(GOODBYE);
  }

  void addSeriesEnd(long record, JournalSeries ended) {
    add(record, NOBODY, ended, FIXED_BYTES);
    putFact(SERIES_END);
  }

  private void putFact(long kind) {
    bytes.putLong(kind);
    for (int i = 0; i < 6; i++) {
      bytes.putLong(0);
    }
    bytes.putInt(0);
  }

  private void add(long record, InstanceId from, @Nullable JournalSeries ofSeries, int length) {
    if (bytes.remaining() < length) {
      int capacity = Math.max(2 * bytes.capacity(), bytes.position() + length);
      bytes = ByteBuffer.allocate(capacity).put(bytes.flip());
    }
    if (records == series.length) {
      series = Arrays.copyOf(series, 2 * records);
    }
    series[records++] = ofSeries;
    lastRecord = record;
    bytes.putLong(record).putLong(from.high()).putLong(from.low());
  }

  /** Starts reading, from the first record; may be done again. */
  void rewind() {
    next = 0;
    readAt = 0;
  }

  /** Reads the next record; false when there is none. */
  boolean read(JournalEntry into) {
    if (next == records) {
      return false;
    }
    int at = readAt;
    into.record = bytes.getLong(at);
    sender = new InstanceId(bytes.getLong(at + 8), bytes.getLong(at + 16));
    into.sequence = bytes.getLong(at + 24);
    into.startMillis = bytes.getLong(at + 32);
    into.endMillis = bytes.getLong(at + 40);
    int length = bytes.getInt(at + 80);
    into.sumMinMax.set(
        bytes.getLong(at + 48),
        bytes.getLong(at + 56),
        /* exact= */ length >= 0,
        bytes.getLong(at + 64),
        bytes.getLong(at + 72));
    int payloadBytes = length & ~ESTIMATED;
    into.payload = ByteBuffer.wrap(bytes.array(), at + FIXED_BYTES, payloadBytes);
    readAt = at + FIXED_BYTES + payloadBytes;
    next++;
    return true;
  }

  /** The sender of the record read last; all zero for nobody. */
  InstanceId sender() {
    return sender;
  }

  /** The series of the record read last; null for a GOODBYE. */
  @Nullable JournalSeries series() {
    return series[next - 1];
  }
}
