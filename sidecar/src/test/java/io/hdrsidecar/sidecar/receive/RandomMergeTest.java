package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole way of an interval, from the bytes of its frame to totals and window of its series,
 * against HdrHistogram's own decoder and {@code add}: 100,000 random histograms, a quarter of them
 * for each seed.
 */
class RandomMergeTest {
  private static final InstanceId CLIENT = new InstanceId(1, 2);
  private static final int SERIES = 2_500;
  private static final int INTERVALS = 10;
  private static final int SERIES_OF_STORE = 50;

  private final Clock clock = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);
  private final FrameDecoder frames = new FrameDecoder(1 << 24);
  private final IntervalFrame frame = new IntervalFrame();
  private final FrameEncoder encoder = new FrameEncoder();
  private final Distribution read = new Distribution();
  private final Set<RandomIntervals.Form> seen = EnumSet.noneOf(RandomIntervals.Form.class);

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42, 2026})
  void receive_randomHistograms_countsWhatHdrHistogramDecodesAndAdds(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int first = 0; first < SERIES; first += SERIES_OF_STORE) {
      SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, () -> 0);
      try (IntervalReceiver receiver = new IntervalReceiver(new StoreSink(store))) {
        for (int i = first; i < first + SERIES_OF_STORE; i++) {
          mergeAndCompare(store, receiver, "s" + i, new RandomIntervals(random.split()));
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(RandomIntervals.Form.values());
  }

  private void mergeAndCompare(
      SeriesStore store, IntervalReceiver receiver, String name, RandomIntervals intervals)
      throws Exception {
    Series series = store.register(intervals.definition(name));
    Registration registered = series.registration(intervals.layout());
    Histogram expected = intervals.empty();
    for (int i = 0; i < INTERVALS; i++) {
      Histogram interval = intervals.next();
      RandomIntervals.Form form = intervals.form();
      seen.add(form);
      byte[] payload = intervals.bytes(form);
      expected.add(decodedByHdrHistogram(form, payload, interval));
      ByteBuffer in = ByteBuffer.wrap(frameOf(interval, payload));
      assertThat(frames.next(in)).as("whole frame").isTrue();
      frames.interval(frame);
      receiver.receive(() -> CLIENT, frame, in, registered);
    }
    series.readTotal(read);
    assertThat(buckets(read)).as("%s, %s", name, intervals.layout()).isEqualTo(buckets(expected));
    series.readWindow(0, read);
    assertThat(buckets(read)).as("window of %s", name).isEqualTo(buckets(expected));
  }

  /**
   * V0 does not tell how long its counts are, and HdrHistogram 2.2.2 reads on past the end of most
   * arrays; so there it is the histogram that was written.
   */
  private static Histogram decodedByHdrHistogram(
      RandomIntervals.Form form, byte[] payload, Histogram written) throws DataFormatException {
    ByteBuffer buffer = ByteBuffer.wrap(payload);
    return switch (form) {
      case V1, V2 -> Histogram.decodeFromByteBuffer(buffer, 0);
      case V1_COMPRESSED, V2_COMPRESSED -> Histogram.decodeFromCompressedByteBuffer(buffer, 0);
      case V0_COMPRESSED -> written;
    };
  }

  /** The sum is not in the payload; any that is not negative will do here. */
  private byte[] frameOf(Histogram interval, byte[] payload) {
    long end = clock.millis();
    IntervalHeader header =
        new IntervalHeader(
            end - 1_000,
            end,
            interval.getTotalCount(),
            SumMinMax.of(0, 0, true, interval.getMinValue(), interval.getMaxValue()));
    return encoder.interval(1, 1, header, ByteBuffer.wrap(payload)).take();
  }

  /** Highest value and count of each bucket in turn. */
  private static List<Long> buckets(Distribution distribution) {
    List<Long> buckets = new ArrayList<>();
    for (int i = 0; i < distribution.size(); i++) {
      buckets.add(distribution.highestAt(i));
      buckets.add(distribution.countAt(i));
    }
    return buckets;
  }

  private static List<Long> buckets(Histogram histogram) {
    List<Long> buckets = new ArrayList<>();
    histogram
        .recordedValues()
        .forEach(
            bucket -> {
              buckets.add(histogram.highestEquivalentValue(bucket.getValueIteratedTo()));
              buckets.add(bucket.getCountAtValueIteratedTo());
            });
    return buckets;
  }
}
