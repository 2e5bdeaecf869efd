package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A {@link SeriesSum} as the value of a store, and of its changelog. Big endian:
 *
 * <pre>
 *  0  uint8   version of this layout, 1
 *  1  int64   when counting began, milliseconds since the epoch
 *  9  int64   when the last interval came
 * 17  int64   intervals
 * 25  uint8   number of layouts, then for each:
 *  0  int64   highest trackable value
 *  8  int64   sum of the values, upper 64 bits
 * 16  uint64  lower 64 bits
 * 24  uint8   whether the sum was counted, not derived from buckets
 * 25  int64   smallest value
 * 33  int64   largest value
 * 41  uint32  length of the payload, P
 * 45  P bytes an HdrHistogram, V2, raw
 * </pre>
 *
 * <p>What is in a store was written here. So anything else is not skipped: it is an error of ours
 * or of the disk, and the store can be restored from its changelog. One thread at a time.
 */
final class SumBytes implements AutoCloseable {
  private static final int VERSION = 1;
  private static final int FIXED_BYTES = 26;
  private static final int PART_BYTES = 45;

  /** What was admitted once is read, whatever the limit is by now. */
  private static final int ANY_COUNTERS = 1 << 30;

  private final HistogramEncoder encoder = new HistogramEncoder();
  private final HistogramDecoder decoder = new HistogramDecoder(ANY_COUNTERS);
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final SumMinMax sumMinMax = new SumMinMax();
  private final SparseCounts buckets = new SparseCounts();

  byte[] write(SeriesSum sum) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    List<SeriesSum.OfLayout> counted = sum.counted();
    out.writeBytes(
        ByteBuffer.allocate(FIXED_BYTES)
            .put((byte) VERSION)
            .putLong(sum.createdMillis())
            .putLong(sum.lastSeenMillis())
            .putLong(sum.intervals())
            .put((byte) counted.size())
            .array());
    for (SeriesSum.OfLayout part : counted) {
      Accumulation counts = part.counts();
      buckets.clear();
      counts.counts().appendTo(buckets);
      ByteBuffer payload = encoder.encode(buckets, part.layout(), part.highest(), 0);
      out.writeBytes(
          ByteBuffer.allocate(PART_BYTES)
              .putLong(part.highest())
              .putLong(counts.sum().high())
              .putLong(counts.sum().low())
              .put((byte) (counts.sumMinMax().isSumExact() ? 1 : 0))
              .putLong(counts.min())
              .putLong(counts.max())
              .putInt(payload.remaining())
              .array());
      out.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
    }
    return out.toByteArray();
  }

  /**
   * Reads what was written.
   *
   * @throws IllegalStateException when it is damaged
   */
  SeriesSum read(byte[] bytes) {
    SeriesSum sum = new SeriesSum();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int version = in.get() & 0xff;
      if (version != VERSION) {
        throw new IllegalStateException(
            "a store has sums of version " + version + ", and " + VERSION + " is known here");
      }
      long created = in.getLong();
      long lastSeen = in.getLong();
      sum.seen(created, lastSeen, in.getLong());
      for (int parts = in.get() & 0xff; parts > 0; parts--) {
        readPart(bytes, in, sum);
      }
      return sum;
    } catch (BufferUnderflowException | MalformedFrameException e) {
      throw new IllegalStateException("a sum in a store is damaged: " + e.getMessage(), e);
    }
  }

  private void readPart(byte[] bytes, ByteBuffer in, SeriesSum into)
      throws MalformedFrameException {
    long highest = in.getLong();
    long sumHigh = in.getLong();
    long sumLow = in.getLong();
    boolean isExact = in.get() != 0;
    sumMinMax.set(sumHigh, sumLow, isExact, in.getLong(), in.getLong());
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    decoder.decode(bytes, in.position(), length, decoded);
    in.position(in.position() + length);
    into.part(decoded.layout(), highest).counts().add(decoded.counts(), sumMinMax);
  }

  /** When the last interval of the sum came that begins at this byte, without reading the rest. */
  static long lastSeenMillis(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).getLong(offset + 1 + Long.BYTES);
  }

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}
