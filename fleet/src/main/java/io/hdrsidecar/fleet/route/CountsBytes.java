package io.hdrsidecar.fleet.route;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Counts as nodes send them, each bucket layout apart, so that nothing is lost. Big endian:
 *
 * <pre>
 *  0  uint8   number of layouts that have counts, then for each:
 *  0  int64   sum of the values, upper 64 bits
 *  8  uint64  lower 64 bits
 * 16  uint8   whether the sum was counted, not derived from buckets
 * 17  int64   smallest value
 * 25  int64   largest value
 * 33  uint32  length of the payload, P
 * 37  P bytes an HdrHistogram, V2, raw
 * </pre>
 *
 * <p>One thread at a time.
 */
final class CountsBytes implements AutoCloseable {
  private static final int PART_BYTES = 37;
  private static final byte[] NOTHING = {0};

  private final HistogramEncoder encoder = new HistogramEncoder();
  private final HistogramDecoder decoder;
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final SumMinMax sumMinMax = new SumMinMax();
  private final IntervalCounts counted = new IntervalCounts();

  /** Takes what was counted in one layout. */
  @FunctionalInterface
  interface Taker<E extends Exception> {
    /**
     * One layout.
     *
     * @param counts valid until this returns
     */
    void take(BucketLayout layout, IntervalCounts counts) throws E;
  }

  /**
   * Reads and writes.
   *
   * @param maxCounters most that a payload may need
   */
  CountsBytes(int maxCounters) {
    this.decoder = new HistogramDecoder(maxCounters);
  }

  byte[] write(LayoutSums sums) {
    if (sums.layouts() == 0) {
      return NOTHING;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    out.write(sums.layouts());
    sums.forEach(sum -> write(sum, out));
    return out.toByteArray();
  }

  private void write(Accumulation sum, ByteArrayOutputStream out) {
    // A range that a histogram may have: twice its lowest value at least.
    long highest = Math.max(sum.max(), 2 * sum.counts().layout().lowestDiscernibleValue());
    ByteBuffer payload = encoder.encode(sum.counts(), highest, 0);
    out.writeBytes(
        ByteBuffer.allocate(PART_BYTES)
            .putLong(sum.sum().high())
            .putLong(sum.sum().low())
            .put((byte) (sum.sumMinMax().isSumExact() ? 1 : 0))
            .putLong(sum.min())
            .putLong(sum.max())
            .putInt(payload.remaining())
            .array());
    out.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
  }

  /**
   * Reads what was written.
   *
   * @throws MalformedPeerException when it was not
   */
  <E extends Exception> void read(byte[] bytes, Taker<E> taker) throws E {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      for (int parts = in.get() & 0xff; parts > 0; parts--) {
        long sumHigh = in.getLong();
        long sumLow = in.getLong();
        boolean isExact = in.get() != 0;
        long min = in.getLong();
        sumMinMax.set(sumHigh, sumLow, isExact, min, in.getLong());
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
          throw new BufferUnderflowException();
        }
        decoder.decode(bytes, in.position(), length, decoded);
        in.position(in.position() + length);
        counted.set(decoded.counts(), sumMinMax);
        taker.take(decoded.layout(), counted);
      }
      if (in.hasRemaining()) {
        throw new MalformedPeerException("counts have " + in.remaining() + " bytes behind them");
      }
    } catch (BufferUnderflowException e) {
      throw new MalformedPeerException("counts end early, after " + bytes.length + " bytes");
    } catch (MalformedFrameException e) {
      throw new MalformedPeerException("counts are damaged: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}
