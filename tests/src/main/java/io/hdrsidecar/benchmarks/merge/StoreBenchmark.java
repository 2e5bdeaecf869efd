package io.hdrsidecar.benchmarks.merge;

import io.hdrsidecar.benchmarks.journal.SteppingClock;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One frame merged as the sidecar does it, with frame checks and CRC-32C, into 256 series in turn,
 * an interval a second for each by a clock that is turned by hand.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreBenchmark {
  private static final int SERIES = 256;
  private static final long BEGIN = 1_700_000_000_000L;

  /** Non-zero buckets of an interval. */
  @Param({"50", "500"})
  private int buckets;

  /** What is fed besides the totals. */
  @Param({"totals", "windows", "windows+history"})
  private String feeds = "";

  private final FrameDecoder frames = new FrameDecoder(1 << 20);
  private final HistogramDecoder histograms = new HistogramDecoder(1 << 20, new StreamInflater());
  private final IntervalFrame frame = new IntervalFrame();
  private final DecodedHistogram histogram = new DecodedHistogram();
  private final List<Series> series = new ArrayList<>();
  private final List<byte[]> encoded = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private final SteppingClock clock = new SteppingClock(BEGIN);
  private SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private int next;

  /** As after two minutes: windows and history are full of intervals. */
  @Setup
  public void fill() throws Exception {
    List<WindowSpec> windows = feeds.equals("totals") ? List.of() : WindowSpec.parseList("1m");
    store =
        new SeriesStore(
            new MergeConfig(SERIES, 1, 1 << 19, windows),
            clock,
            () -> (clock.millis() - BEGIN) * 1_000_000);
    if (feeds.endsWith("history")) {
      store.past().keepIn(new History(64L << 20));
    }
    Payloads payloads = new Payloads(SERIES, buckets, false);
    for (int i = 0; i < SERIES; i++) {
      SeriesKey key = new SeriesKey("load", Labels.of("series", "s" + i));
      BucketLayout layout = BucketLayout.of(1, Payloads.DIGITS);
      series.add(
          store.register(
              new SeriesDefinition(key, Unit.NANOSECONDS, "Load.", layout, Payloads.HIGHEST)));
      encoded.add(frame(payloads.histogram(i), payloads.encoded(i)));
    }
    encoded.forEach(bytes -> views.add(ByteBuffer.wrap(bytes)));
    for (int i = 0; i < 120 * SERIES; i++) {
      merge();
    }
  }

  private static byte[] frame(Histogram histogram, byte[] payload) {
    ExactSum sum = new ExactSum();
    sum.add((long) (histogram.getMean() * histogram.getTotalCount()));
    IntervalHeader header =
        new IntervalHeader(
            BEGIN - 1000,
            BEGIN,
            histogram.getTotalCount(),
            SumMinMax.of(
                sum.high(),
                sum.low(),
                true,
                histogram.getMinNonZeroValue(),
                histogram.getMaxValue()));
    FrameEncoder encoder = new FrameEncoder();
    encoder.interval(1, 1, header, ByteBuffer.wrap(payload));
    return encoder.take();
  }

  /** From the bytes of a frame to totals, windows and history. */
  @Benchmark
  public void merge() throws Exception {
    next = (next + 1) & (SERIES - 1);
    if (next == 0) {
      store.advanceWindows(); // At the end of a step, as the sidecar does.
      clock.step(1000);
    }
    if (!frames.next(views.get(next).clear())) {
      throw new IllegalStateException("a frame is whole");
    }
    frames.interval(frame);
    histograms.decode(encoded.get(next), frame.payloadOffset(), frame.payloadLength(), histogram);
    store.merge(
        series.get(next), histogram, clock.millis() - 1000, clock.millis(), frame.sumMinMax());
  }

  /** Frees the inflater. */
  @TearDown
  public void close() {
    histograms.close();
  }
}
