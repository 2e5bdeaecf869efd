package io.hdrsidecar.internal.crash;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A crash file and what a client does with it, in one thread and without a client. */
final class CrashRig {
  static final InstanceId INSTANCE = new InstanceId(0x0123456789abcdefL, 42);
  static final Labels COMMON = Labels.of("pod", "shop-1");
  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  static final long HIGHEST = 3_600_000_000_000L;
  static final long NOW = 1_700_000_000_000L;
  static final long EVERY = 1_000;
  static final int BYTES = 2 << 20;

  private static final int CLIENTS_ID = 77;

  private final CrashFile file;
  private final Map<CrashSeries, CrashArea> areas = new HashMap<>();
  private final FrameEncoder frames = new FrameEncoder();

  CrashRig(CrashFile file) {
    this.file = file;
  }

  static CrashRig in(Path folder, int bytes) throws IOException {
    CrashFolder crash = new CrashFolder(new SpillFolder(folder), bytes);
    return new CrashRig(CrashFile.create(crash, INSTANCE, COMMON, EVERY, NOW));
  }

  CrashFile file() {
    return file;
  }

  static SeriesDefinition definition(String name) {
    SeriesKey key = new SeriesKey(name, Labels.of("method", "GET"));
    return new SeriesDefinition(key, Unit.NANOSECONDS, "how long", LAYOUT, HIGHEST);
  }

  CrashSeries series(String name) {
    return Objects.requireNonNull(file.series(definition(name), NOW));
  }

  /** Counts values as the owner of an area does. */
  void record(CrashSeries series, long... values) {
    CrashArea area =
        areas.computeIfAbsent(series, absent -> Objects.requireNonNull(series.owned()));
    for (long value : values) {
      int index = LAYOUT.indexOf(value);
      int number = index >>> CrashLayout.PAGE_BITS;
      int page = area.page(number) == 0 ? area.createPage(number) : area.page(number);
      area.countOwned(page, index, value);
    }
  }

  static Accumulation counts(long... values) {
    Accumulation counts = new Accumulation(LAYOUT);
    for (long value : values) {
      counts.counts().add(LAYOUT.indexOf(value), 1);
      counts.sum().add(value);
      counts.widen(value, value);
    }
    return counts;
  }

  static SparseCounts sparse(long... values) {
    SparseCounts sparse = new SparseCounts();
    counts(values).counts().forEach(sparse);
    return sparse;
  }

  /** The frame of these values, as a client makes it. */
  byte[] encode(long sequence, long... values) {
    Accumulation counts = counts(values);
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      ByteBuffer payload = histograms.encode(counts.counts(), HIGHEST, 0);
      IntervalHeader header = IntervalHeader.of(counts, NOW, NOW + EVERY);
      return frames.interval(sequence, CLIENTS_ID, header, payload).take();
    }
  }

  /** Frames values that were counted before. */
  void frame(CrashSeries series, long sequence, long... values) {
    file.frame(
        series,
        counts(values).counts(),
        0,
        Integer.MAX_VALUE,
        counts(values).sum().low(),
        sequence,
        ByteBuffer.wrap(encode(sequence, values)),
        NOW + EVERY);
  }

  void takeBack(CrashSeries series, long sequence, long... values) {
    file.takeBack(series, sparse(values), counts(values).sum(), sequence);
  }

  /**
   * The file as its process would leave it now. It is taken from memory: whoever opens and closes a
   * file of its own process ends the lock of it.
   */
  byte[] image() {
    ByteBuffer memory = file.memory();
    byte[] image = new byte[memory.getInt(CrashLayout.LENGTH)];
    memory.get(0, image, 0, file.usedBytes());
    return image;
  }
}
