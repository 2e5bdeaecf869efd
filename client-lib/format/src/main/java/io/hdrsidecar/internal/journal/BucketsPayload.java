package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Leb128;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Counts of buckets that HdrHistogram's encoding has no place for, as bytes of our own.
 *
 * <pre>
 *  0 int32  "HBK1"
 *  4 int64  highest trackable value
 * 12 int16  length L of the layout, unsigned
 * 14        the layout as text, ASCII: base2:scale=3,per=1000000000
 * 14+L      for each non-zero bucket, in turn: distance from the index before (from -1 at first),
 *           and count; LEB128
 * </pre>
 *
 * <p>A reader keeps the layout it has read last, as nearly all of a file are equal. One thread.
 */
public final class BucketsPayload {
  private static final int COOKIE = 0x48424b31;
  private static final int FIXED_BYTES = 14;
  private static final int MAX_NUMBER_BYTES = 9;
  private static final int MAX_LAYOUT_BYTES = 0xffff;

  private String lastText = "";
  private BucketLayout last = BucketLayout.of(1, 0);

  BucketsPayload() {}

  /**
   * What is written of these counts: as HdrHistogram writes them, not compressed, if it can.
   *
   * @param encoder for that; its buffer is overwritten by the next call
   */
  public static ByteBuffer of(
      HistogramEncoder encoder, SparseCounts counts, BucketLayout layout, long highest) {
    return layout.isHdr()
        ? encoder.encode(counts, layout, highest, 0)
        : encode(counts, layout, highest);
  }

  private static ByteBuffer encode(SparseCounts counts, BucketLayout layout, long highest) {
    byte[] text = layout.toString().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + text.length + 2 * MAX_NUMBER_BYTES * counts.size());
    out.putInt(COOKIE).putLong(highest).putShort((short) text.length).put(text);
    byte[] bytes = out.array();
    int at = out.position();
    int previous = -1;
    for (int i = 0; i < counts.size(); i++) {
      at = Leb128.put(bytes, at, counts.indexAt(i) - previous);
      at = Leb128.put(bytes, at, counts.countAt(i));
      previous = counts.indexAt(i);
    }
    return out.position(at).flip();
  }

  /** Whether these bytes are such, and not HdrHistogram's. */
  static boolean isOne(ByteBuffer payload) {
    return payload.remaining() >= FIXED_BYTES && payload.getInt(payload.position()) == COOKIE;
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException when they are damaged
   */
  void decode(ByteBuffer payload, DecodedHistogram into) {
    ByteBuffer in = payload.duplicate();
    long highest = in.getLong(in.position() + 4);
    int length = in.getShort(in.position() + 12) & MAX_LAYOUT_BYTES;
    in.position(in.position() + FIXED_BYTES);
    if (length > in.remaining()) {
      throw new IllegalArgumentException("layout must have " + length + " bytes");
    }
    byte[] text = new byte[length];
    in.get(text);
    into.start(layout(new String(text, StandardCharsets.US_ASCII)), highest);
    readCounts(in, into);
  }

  private BucketLayout layout(String text) {
    if (!text.equals(lastText)) {
      last = BucketLayout.parse(text);
      lastText = text;
    }
    return last;
  }

  private static void readCounts(ByteBuffer in, DecodedHistogram into) {
    long most = into.layout().indexOf(Long.MAX_VALUE);
    long index = -1;
    while (in.hasRemaining()) {
      long distance = number(in);
      long count = number(in);
      if (distance < 1 || distance > most - index || count < 1) {
        throw new IllegalArgumentException("no bucket of " + into.layout() + " behind " + index);
      }
      index += distance;
      try {
        into.counts().visit((int) index, count);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException("counts add up to more than 2^63 - 1", e);
      }
    }
  }

  /** Not {@link Leb128#get}: here each byte may be damaged, or missing. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < MAX_NUMBER_BYTES * 7; shift += 7) {
      if (!in.hasRemaining()) {
        throw new IllegalArgumentException("counts end in the middle of a number");
      }
      byte next = in.get();
      number |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("a count has more than 63 bits");
  }
}
