package io.hdrsidecar.sidecar.journal;

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
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A store with its journal, merging on a thread of its own as in the sidecar. */
final class JournaledStore implements AutoCloseable {
  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  static final InstanceId CLIENT = new InstanceId(7, 8);
  private static final long HIGHEST = 1L << 42;

  private final ExecutorService mergeThread = Executors.newSingleThreadExecutor();
  private final InstantSource clock;
  private final SeriesStore store;
  private final Journal journal;
  private final Map<InstanceId, RememberedInstance> remembered;
  private final FrameEncoder frames = new FrameEncoder();
  private final HistogramEncoder encoder = new HistogramEncoder();
  private final HistogramDecoder decoder = new HistogramDecoder(1 << 20);

  JournaledStore(JournalConfig config) throws IOException {
    this(config, InstantSource.system());
  }

  JournaledStore(JournalConfig config, InstantSource clock) throws IOException {
    this(config, clock, System::nanoTime, MergeConfig.defaults(), Uptime.ofThisMachine(), false);
  }

  JournaledStore(
      JournalConfig config, InstantSource clock, LongSupplier nanoTime, MergeConfig merge)
      throws IOException {
    this(config, clock, nanoTime, merge, () -> Uptime.UNKNOWN, false);
  }

  /** On a machine that runs for so long. */
  JournaledStore(
      JournalConfig config,
      InstantSource clock,
      LongSupplier nanoTime,
      MergeConfig merge,
      Supplier<Uptime> uptime)
      throws IOException {
    this(config, clock, nanoTime, merge, uptime, false);
  }

  private JournaledStore(
      JournalConfig config,
      InstantSource clock,
      LongSupplier nanoTime,
      MergeConfig merge,
      Supplier<Uptime> uptime,
      boolean readable)
      throws IOException {
    this.clock = clock;
    store = new SeriesStore(merge, clock, nanoTime);
    journal =
        Journal.open(config, store, new JournalClock(clock, uptime), readable, JournalTail.NONE);
    remembered = journal.remembered();
    journal.start(mergeThread, () -> {});
  }

  /** One whose journal is a source of the past. */
  static JournaledStore readable(JournalConfig config) throws IOException {
    return new JournaledStore(
        config,
        InstantSource.system(),
        System::nanoTime,
        MergeConfig.defaults(),
        Uptime.ofThisMachine(),
        true);
  }

  static JournalConfig config(Path directory) {
    return config(directory, 64 << 20, 1 << 30, JournalConfig.Degrade.MEMORY);
  }

  static JournalConfig config(
      Path directory, long rotateBytes, long retainBytes, JournalConfig.Degrade degrade) {
    return new JournalConfig(
        directory,
        Duration.ofMillis(5),
        false,
        rotateBytes,
        Duration.ofHours(1),
        retainBytes,
        Duration.ofHours(24),
        degrade,
        4 << 20,
        1000,
        Duration.ofHours(1));
  }

  SeriesStore store() {
    return store;
  }

  Journal journal() {
    return journal;
  }

  RecoveryReport recovery() {
    return journal.status().recovery();
  }

  long lastSequence() {
    RememberedInstance client = remembered.get(CLIENT);
    return client == null ? 0 : client.lastSequence();
  }

  /** Merges an interval of the series {@code name{route="/pay"}}. */
  void merge(String name, long sequence, long... values) {
    merge(name, LAYOUT, sequence, values);
  }

  void merge(String name, BucketLayout layout, long sequence, long... values) {
    merge(CLIENT, name, layout, sequence, values);
  }

  void merge(InstanceId sender, String name, BucketLayout layout, long sequence, long... values) {
    onMergeThread(
        () -> {
          Series series = store.register(definition(name, layout));
          Accumulation counted = counted(layout, values);
          long now = clock.millis();
          ByteBuffer payload = encoder.encode(counted.counts(), HIGHEST, 0);
          frames.interval(
              sequence, 1, IntervalHeader.of(counted, now - 1000, now), payload.duplicate());
          FrameDecoder frameDecoder = new FrameDecoder(1 << 20);
          if (!frameDecoder.next(ByteBuffer.wrap(frames.take()))) {
            throw new AssertionError("no whole frame");
          }
          IntervalFrame frame = new IntervalFrame();
          frameDecoder.interval(frame);
          DecodedHistogram histogram = new DecodedHistogram();
          byte[] bytes = new byte[payload.remaining()];
          payload.get(bytes);
          decoder.decode(bytes, 0, bytes.length, histogram);
          store.merge(() -> sender, series, histogram, frame);
          return true;
        });
  }

  static SeriesDefinition definition(String name, BucketLayout layout) {
    return new SeriesDefinition(
        new SeriesKey(name, Labels.of("route", "/pay, 100% sure;{ü}\n")),
        Unit.NANOSECONDS,
        "Time to pay, in full.",
        layout,
        HIGHEST);
  }

  private static Accumulation counted(BucketLayout layout, long... values) {
    Accumulation counted = new Accumulation(layout);
    for (long value : values) {
      counted.counts().add(layout.indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    return counted;
  }

  void sayGoodbye() {
    onMergeThread(
        () -> {
          journal.appendGoodbye(CLIENT);
          return true;
        });
  }

  <T> T onMergeThread(Callable<T> task) {
    try {
      return mergeThread.submit(task).get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until all that was merged is durable. */
  void awaitDurable() {
    CountDownLatch durable = new CountDownLatch(1);
    onMergeThread(
        () -> {
          journal.whenDurable(durable::countDown);
          return true;
        });
    try {
      if (!durable.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("not durable within 30 s: " + journal.status());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for something that the writer thread is about to do. */
  void eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen within 30 s: " + journal.status());
      }
      Thread.onSpinWait();
    }
  }

  /** Everything that must survive: of each series its start, sum, extremes and buckets. */
  Map<String, String> totals() {
    Map<String, String> totals = new TreeMap<>();
    for (Series series : store.series()) {
      Distribution total = new Distribution();
      series.readTotal(total);
      totals.put(series.key().toString(), series.createdAt() + " " + text(total));
    }
    return totals;
  }

  /** What the first window has. */
  String window(String name) {
    Distribution window = new Distribution();
    store.find(definition(name, LAYOUT).key()).orElseThrow().readWindow(0, window);
    return text(window);
  }

  private static String text(Distribution counted) {
    StringBuilder text = new StringBuilder();
    text.append("sum=").append(counted.sum()).append(" exact=").append(counted.sumIsExact());
    text.append(" min=").append(counted.min()).append(" max=").append(counted.max());
    for (int i = 0; i < counted.size(); i++) {
      text.append(' ').append(counted.lowestAt(i)).append(':').append(counted.countAt(i));
    }
    return text.toString();
  }

  @Override
  public void close() {
    journal.close();
    mergeThread.shutdown();
    encoder.close();
    decoder.close();
  }
}
