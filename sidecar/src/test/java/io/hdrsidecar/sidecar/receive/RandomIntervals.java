package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Random interval histograms of one random configuration, and their bytes in every form there is:
 * V2 as HdrHistogram writes it, and V0 and V1, which it only reads today, as its older versions
 * wrote them.
 */
final class RandomIntervals {
  /** Forms of one histogram. */
  enum Form {
    V2,
    V2_COMPRESSED,
    V1,
    V1_COMPRESSED,
    V0_COMPRESSED
  }

  private static final List<Form> ALL = List.of(Form.values());
  private static final List<Form> OF_TODAY = List.of(Form.V2, Form.V2_COMPRESSED);
  private static final long[] LOWEST = {1, 1, 1, 2, 3, 7, 1000, 20_000, (1L << 20) - 1, 1L << 33};

  /**
   * Fine layouts are rare, for the sake of time: an array of 5 digits has two megabytes or more.
   */
  private static final double[] DIGITS = {0.1, 0.3, 0.55, 0.95, 0.99, 1};

  /** What older versions wrote, words for all buckets, is only made of arrays up to this length. */
  private static final int MOST_WORDS = 5_000;

  private static final int MOST_BITS_OF_COUNT = 58;

  private final SplittableRandom random;
  private final Histogram histogram;
  private final BucketLayout layout;

  RandomIntervals(SplittableRandom random) {
    this.random = random;
    double share = random.nextDouble();
    int digits = 0;
    while (share >= DIGITS[digits]) {
      digits++;
    }
    long lowest = LOWEST[random.nextInt(LOWEST.length)];
    int bits = Math.min(random.nextInt(1, digits < 4 ? 30 : 19), Long.numberOfLeadingZeros(lowest));
    this.histogram = new Histogram(lowest, lowest << Math.max(1, bits - 2), digits);
    this.layout = BucketLayout.of(lowest, digits);
  }

  SeriesDefinition definition(String name) {
    return new SeriesDefinition(
        new SeriesKey(name, Labels.empty()),
        Unit.NANOSECONDS,
        "",
        layout,
        histogram.getHighestTrackableValue());
  }

  BucketLayout layout() {
    return layout;
  }

  /** An empty histogram of the configuration, to add to. */
  Histogram empty() {
    return new Histogram(
        histogram.getLowestDiscernibleValue(),
        histogram.getHighestTrackableValue(),
        histogram.getNumberOfSignificantValueDigits());
  }

  /** The next interval, never empty; valid until the one after it. */
  Histogram next() {
    histogram.reset();
    switch (random.nextInt(5)) {
      case 0 -> record(0, 1 + random.nextLong(1000));
      case 1 -> record(histogram.getHighestTrackableValue(), 1L << MOST_BITS_OF_COUNT);
      case 2 -> scatter(1 + random.nextInt(3), MOST_BITS_OF_COUNT - 2);
      case 3 -> scatter(100, 40);
      default -> crowd();
    }
    return histogram;
  }

  private void record(long value, long count) {
    histogram.recordValueWithCount(value, count);
  }

  /** Values all over the range, so with long runs of empty buckets, and counts of every size. */
  private void scatter(int values, int bits) {
    for (int i = 0; i < values; i++) {
      long value = random.nextLong(histogram.getHighestTrackableValue()) + 1;
      record(value >>> random.nextInt(20), 1 + random.nextLong(1L << random.nextInt(1, bits)));
    }
  }

  /** Neighbouring buckets, as latencies fill them. */
  private void crowd() {
    double highest = histogram.getHighestTrackableValue();
    double middle = highest * random.nextDouble();
    for (int i = 0; i < 200; i++) {
      double spread = random.nextDouble() + random.nextDouble() + random.nextDouble();
      record((long) Math.min(highest, middle * spread / 3 * 2), 1);
    }
  }

  /** One of the forms in which the histogram can be written. */
  Form form() {
    boolean fewWords = layout.countersUpTo(histogram.getHighestTrackableValue()) <= MOST_WORDS;
    List<Form> forms = fewWords ? ALL : OF_TODAY;
    return forms.get(random.nextInt(forms.size()));
  }

  /** The histogram in that form. */
  byte[] bytes(Form form) {
    return switch (form) {
      case V2 -> {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        yield Arrays.copyOf(buffer.array(), histogram.encodeIntoByteBuffer(buffer));
      }
      case V2_COMPRESSED -> {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 1000);
        int length = histogram.encodeIntoCompressedByteBuffer(buffer, random.nextInt(1, 10));
        yield Arrays.copyOf(buffer.array(), length);
      }
      case V1 -> words(0x1c849301);
      case V1_COMPRESSED -> compressed(0x1c849302, words(0x1c849301));
      case V0_COMPRESSED -> compressed(0x1c849309, words(0x1c849308));
    };
  }

  /** A word of 2, 4 or 8 bytes for every bucket up to the last that has counts. */
  private byte[] words(int cookie) {
    long[] counts = new long[layout.indexOf(histogram.getMaxValue()) + 1];
    long most = 0;
    for (HistogramIterationValue bucket : histogram.recordedValues()) {
      long count = bucket.getCountAtValueIteratedTo();
      counts[layout.indexOf(bucket.getValueIteratedTo())] = count;
      most = Math.max(most, count);
    }
    int least = most <= Short.MAX_VALUE ? 2 : most <= Integer.MAX_VALUE ? 4 : 8;
    int size = Math.max(least, 2 << random.nextInt(3));
    ByteBuffer out = ByteBuffer.allocate(40 + counts.length * size);
    header(out, cookie | size << 4, counts.length * size);
    for (long count : counts) {
      switch (size) {
        case 2 -> out.putShort((short) count);
        case 4 -> out.putInt((int) count);
        default -> out.putLong(count);
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private void header(ByteBuffer out, int cookie, int countsBytes) {
    boolean v0 = (cookie & ~0xf0) == 0x1c849308;
    out.putInt(cookie);
    if (!v0) {
      out.putInt(countsBytes).putInt(0); // normalizing index offset
    }
    out.putInt(histogram.getNumberOfSignificantValueDigits())
        .putLong(histogram.getLowestDiscernibleValue())
        .putLong(histogram.getHighestTrackableValue());
    if (v0) {
      out.putLong(histogram.getTotalCount());
    } else {
      out.putDouble(1.0);
    }
  }

  private byte[] compressed(int cookie, byte[] contents) {
    Deflater deflater = new Deflater(random.nextInt(1, 10));
    deflater.setInput(contents);
    deflater.finish();
    byte[] stream = new byte[contents.length + 1000];
    int length = deflater.deflate(stream);
    deflater.end();
    // The word size is in the cookie of the contents, which is the one that counts.
    return ByteBuffer.allocate(8 + length)
        .putInt(cookie)
        .putInt(length)
        .put(stream, 0, length)
        .array();
  }
}
