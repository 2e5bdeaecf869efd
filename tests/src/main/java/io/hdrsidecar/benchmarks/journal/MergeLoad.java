package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * The merge context without its sockets: reads frames that are in memory, decodes and merges them,
 * and runs what the journal posts in between. Reads nothing while the journal is full, as the real
 * one does.
 */
final class MergeLoad implements Executor, AutoCloseable {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final InstanceId CLIENT = new InstanceId(1, 1);
  private static final Sender SENDER = () -> CLIENT;
  private static final int FRAMES = 64;
  private static final int MERGES_BETWEEN_TASKS = 32;

  private final SeriesStore store;
  private final List<Series> series = new ArrayList<>();
  private final List<byte[]> frames = new ArrayList<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final FrameDecoder frameDecoder = new FrameDecoder(1 << 20);
  private final HistogramDecoder histogramDecoder =
      new HistogramDecoder(1 << 20, new StreamInflater());
  private final IntervalFrame frame = new IntervalFrame();
  private final DecodedHistogram histogram = new DecodedHistogram();
  private final int valuesInInterval;
  private long merged;

  MergeLoad(SeriesStore store, int seriesCount, int valuesInInterval) throws Exception {
    this.store = store;
    this.valuesInInterval = valuesInInterval;
    for (int i = 0; i < seriesCount; i++) {
      SeriesKey key = new SeriesKey("load", Labels.of("series", "s" + i));
      series.add(
          store.register(new SeriesDefinition(key, Unit.NANOSECONDS, "Load.", LAYOUT, HIGHEST)));
    }
    encodeFrames(System.currentTimeMillis());
  }

  /** Makes the frames anew, of the second that ends then. */
  void encodeFrames(long endMillis) {
    SplittableRandom random = new SplittableRandom(endMillis);
    frames.clear();
    for (int i = 0; i < Math.min(FRAMES, series.size()); i++) {
      frames.add(frame(random, valuesInInterval, endMillis));
    }
  }

  private static byte[] frame(SplittableRandom random, int values, long endMillis) {
    Accumulation counted = new Accumulation(LAYOUT);
    for (int i = 0; i < values; i++) {
      // Around 1 ms with a long tail, as latencies are.
      long value = (long) (1e6 * Math.exp(random.nextDouble() * random.nextDouble() * 5));
      counted.counts().add(LAYOUT.indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    FrameEncoder encoder = new FrameEncoder();
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      encoder.interval(
          1,
          1,
          IntervalHeader.of(counted, endMillis - 1000, endMillis),
          histograms.encode(counted.counts(), HIGHEST, 0));
      return encoder.take();
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Merges one interval into each series. */
  void mergeAll() throws Exception {
    for (Series into : series) {
      mergeInto(into);
      if (merged % MERGES_BETWEEN_TASKS == 0) {
        runTasks();
        awaitRoom();
      }
    }
  }

  private void mergeInto(Series into) throws Exception {
    byte[] bytes = frames.get((int) (merged++ % frames.size()));
    if (!frameDecoder.next(ByteBuffer.wrap(bytes))) {
      throw new IllegalStateException("a frame is whole");
    }
    frameDecoder.interval(frame);
    histogramDecoder.decode(bytes, frame.payloadOffset(), frame.payloadLength(), histogram);
    store.merge(SENDER, into, histogram, frame);
  }

  private void awaitRoom() {
    while (store.log().isFull()) {
      LockSupport.parkNanos(10_000);
      runTasks();
    }
  }

  void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Waits until all that was merged is in the journal. */
  void awaitDurable() {
    while (store.log().durableRecord() < store.log().lastRecord()) {
      LockSupport.parkNanos(10_000);
      runTasks();
    }
  }

  @Override
  public void close() {
    runTasks();
    histogramDecoder.close();
  }
}
