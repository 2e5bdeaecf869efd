package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.CountVisitor;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Encodes counts as HdrHistogram V2 straight from their pages, byte for byte what HdrHistogram
 * itself would write for the same counts at the same compression level.
 *
 * <p>The result lies in a buffer that the next call overwrites; after warm-up nothing is allocated
 * but a small view. One thread at a time; {@link #close} frees the deflater's native memory.
 */
public final class HistogramEncoder implements AutoCloseable {
  private final CountVisitor appender = this::append;
  private byte[] raw = new byte[4096];
  private byte[] deflated = new byte[4096];
  private int position;
  private int nextIndex;
  private Deflater deflater = new Deflater(1);
  private int deflaterLevel = 1;

  /**
   * Encodes all counts.
   *
   * @param highestTrackableValue goes into the header
   * @param deflateLevel 0 for the raw form, 1..9 for the compressed form, or {@link
   *     Deflater#DEFAULT_COMPRESSION}
   * @return from position to limit; valid until the next call
   * @throws IllegalArgumentException for any other level
   * @throws IllegalStateException for a negative count, which more was taken from than was added;
   *     as zero runs are written as negative numbers, it would be read as one
   */
  public ByteBuffer encode(PagedCounts counts, long highestTrackableValue, int deflateLevel) {
    return encode(counts, 0, Integer.MAX_VALUE, highestTrackableValue, deflateLevel);
  }

  /** Encodes the counts from {@code fromIndex} up to, not with, {@code toIndex}. */
  public ByteBuffer encode(
      PagedCounts counts,
      int fromIndex,
      int toIndex,
      long highestTrackableValue,
      int deflateLevel) {
    begin();
    counts.forEach(fromIndex, toIndex, appender);
    return finish(counts.layout(), highestTrackableValue, deflateLevel);
  }

  /** Encodes counts that were decoded before, into the same bytes. */
  public ByteBuffer encode(
      SparseCounts counts, BucketLayout layout, long highestTrackableValue, int deflateLevel) {
    begin();
    for (int i = 0; i < counts.size(); i++) {
      append(counts.indexAt(i), counts.countAt(i));
    }
    return finish(layout, highestTrackableValue, deflateLevel);
  }

  private void begin() {
    position = HistogramEncoding.HEADER_BYTES;
    nextIndex = 0;
  }

  private ByteBuffer finish(BucketLayout layout, long highestTrackableValue, int deflateLevel) {
    if (nextIndex == 0) {
      raw[position++] = 0; // HdrHistogram writes the first, empty bucket of an empty histogram.
    }
    ByteBuffer.wrap(raw)
        .putInt(HistogramEncoding.V2 | HistogramEncoding.VARIABLE_WORDS)
        .putInt(position - HistogramEncoding.HEADER_BYTES)
        .putInt(0)
        .putInt(layout.significantDigits())
        .putLong(layout.lowestDiscernibleValue())
        .putLong(highestTrackableValue)
        .putDouble(1.0);
    return deflateLevel == 0 ? ByteBuffer.wrap(raw, 0, position) : deflate(deflateLevel);
  }

  /** Appends one bucket, and the run of empty ones before it. */
  private void append(int index, long count) {
    if (count < 0) {
      throw new IllegalStateException("negative count " + count + " in bucket " + index);
    }
    if (raw.length - position < 2 * HistogramEncoding.MAX_WORD_BYTES) {
      raw = Arrays.copyOf(raw, raw.length + raw.length / 4);
    }
    int empty = index - nextIndex;
    if (empty == 1) {
      raw[position++] = 0;
    } else if (empty > 1) {
      put(-empty);
    }
    put(count);
    nextIndex = index + 1;
  }

  /** LEB128 as HdrHistogram has it: a ninth byte carries eight bits, so there is no tenth. */
  private void put(long value) {
    long word = (value << 1) ^ (value >> 63);
    int bytes = 1;
    while (word >>> 7 != 0 && bytes < HistogramEncoding.MAX_WORD_BYTES) {
      raw[position++] = (byte) (word | 0x80);
      word >>>= 7;
      bytes++;
    }
    raw[position++] = (byte) word;
  }

  private ByteBuffer deflate(int level) {
    if (level != deflaterLevel) {
      Deflater next = new Deflater(level); // First, as it throws for a level that does not exist.
      deflater.end();
      deflater = next;
      deflaterLevel = level;
    }
    deflater.reset();
    deflater.setInput(raw, 0, position);
    deflater.finish();
    int length = HistogramEncoding.COMPRESSED_HEADER_BYTES;
    while (!deflater.finished()) {
      if (length == deflated.length) {
        deflated = Arrays.copyOf(deflated, length * 2);
      }
      length += deflater.deflate(deflated, length, deflated.length - length);
    }
    ByteBuffer.wrap(deflated)
        .putInt(HistogramEncoding.V2_COMPRESSED | HistogramEncoding.VARIABLE_WORDS)
        .putInt(length - HistogramEncoding.COMPRESSED_HEADER_BYTES);
    return ByteBuffer.wrap(deflated, 0, length);
  }

  /** Frees the deflater. */
  @Override
  public void close() {
    deflater.end();
  }
}
