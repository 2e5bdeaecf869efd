package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;

/** What is sent is what is compared with: HdrHistogram reads the payloads of the frames. */
final class LoadPayloadsTest {
  private static final int LENGTH = 256;

  private final LoadPayloads payloads = new LoadPayloads(LENGTH);
  private final IntervalFrame frame = new IntervalFrame();

  private Histogram written(int payload) throws Exception {
    FrameEncoder out = new FrameEncoder();
    payloads.write(out, payload, 1, 7, 1_000, 2_000);
    ByteBuffer in = ByteBuffer.wrap(out.take());
    FrameDecoder decoder = new FrameDecoder(1 << 16);
    assertThat(decoder.next(in)).isTrue();
    decoder.interval(frame);
    byte[] bytes =
        Arrays.copyOfRange(
            in.array(), frame.payloadOffset(), frame.payloadOffset() + frame.payloadLength());
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
  }

  private static Map<Long, Long> buckets(Histogram histogram) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(
          histogram.highestEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return buckets;
  }

  @Test
  void payloads_areAsLongAsAskedFor() throws Exception {
    written(0);
    assertThat(frame.payloadLength()).isBetween(LENGTH, LENGTH + 16);
    assertThat(payloads.meanBytes()).isBetween((long) LENGTH, LENGTH + 16L);
  }

  @Test
  void statistics_areOfAllPayloads_eachAsOftenAsItWasSent() throws Exception {
    Histogram all = written(3);
    long min = frame.sumMinMax().min();
    BigInteger sum = BigInteger.valueOf(frame.sumMinMax().sum().low());
    long max = frame.sumMinMax().max();
    Histogram twice = written(200);
    all.add(twice);
    all.add(twice);
    sum = sum.add(BigInteger.valueOf(2 * frame.sumMinMax().sum().low()));
    long[] times = new long[LoadPayloads.SIZE];
    times[3] = 1;
    times[200] = 2;
    FleetStatistics statistics = payloads.statistics(times);
    assertThat(statistics.buckets()).isEqualTo(buckets(all));
    assertThat(statistics.count()).isEqualTo(all.getTotalCount());
    assertThat(statistics.sum()).isEqualTo(sum);
    assertThat(statistics.min()).isEqualTo(Math.min(min, frame.sumMinMax().min()));
    assertThat(statistics.max()).isEqualTo(Math.max(max, frame.sumMinMax().max()));
  }

  @Test
  void statistics_ofOtherValues_areADifference() {
    RawTruth one = new RawTruth();
    one.record(1_000, 2);
    RawTruth both = new RawTruth();
    both.record(1_000);
    both.record(1_000);
    both.record(5_000);
    assertThat(one.statistics().countsAsMuchAs(both.statistics())).isFalse();
    RawTruth moved = new RawTruth();
    moved.record(1_000);
    moved.record(2_000);
    RawTruth balanced = new RawTruth();
    balanced.record(1_500, 2);
    assertThat(moved.statistics().countsAsMuchAs(balanced.statistics())).isFalse();
  }
}
