package io.hdrsidecar.sidecar.hiccup;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.client.hiccup.HiccupMeter;
import io.hdrsidecar.client.hiccup.HiccupSink;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.CorrectedRecorder;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Measures the sidecar's own pauses into {@code sidecar_hiccup} and {@code sidecar_hiccup_raw}, of
 * the same layout as the {@code jvm_hiccup} of a client. The names are other ones, so that no sum
 * over an application's hiccups takes in the control.
 *
 * <p>To look for pauses is most of what a process at rest costs. So it looks once a second while
 * nobody sends anything that a pause could hold up.
 *
 * <p>All methods belong to the merge context; the meter has a thread of its own.
 */
public final class HiccupControl implements AutoCloseable {
  private static final String CORRECTED = "sidecar_hiccup";
  private static final String RAW = "sidecar_hiccup_raw";

  /** jHiccup's own range and precision. */
  private static final BucketLayout LAYOUT = BucketLayout.of(20_000, 2);

  private static final long HIGHEST_NANOS = Duration.ofDays(30).toNanos();

  /** Harvests without an interval of anybody else, after which it rests. */
  private static final int HARVESTS_UNTIL_REST = 10;

  private static final Duration RESOLUTION_AT_REST = Duration.ofSeconds(1);

  /** Harvests in one interval at rest: as often as Prometheus asks by most people's settings. */
  private static final long HARVESTS_AT_REST = 15;

  private final OwnSeries raw;
  private final OwnSeries corrected;
  private final SeriesStore store;
  private final HiccupConfig busy;
  private final HiccupConfig resting;
  private final HiccupSink sink;
  private final long harvestsAtRest;
  private HiccupConfig used;
  private HiccupMeter meter;
  private long intervalsBefore;
  private int quietHarvests;
  private boolean refused;

  /** Whether this is the name of a series that the sidecar records itself. */
  public static boolean isOwn(String name) {
    return name.equals(CORRECTED) || name.equals(RAW);
  }

  /**
   * Registers both series and starts to measure.
   *
   * @param config how it looks while intervals come
   * @throws RefusedException when the store has no place for them
   */
  public HiccupControl(SeriesStore store, HiccupConfig config) throws RefusedException {
    SeriesRecorder rawRecorder = new SeriesRecorder(LAYOUT, HIGHEST_NANOS);
    CorrectedRecorder correctedRecorder =
        new CorrectedRecorder(LAYOUT, HIGHEST_NANOS, new LongAdder());
    this.raw = new OwnSeries(store, definition(RAW, Labels.empty()), rawRecorder);
    try {
      this.corrected =
          new OwnSeries(
              store,
              definition(CORRECTED, Labels.of("corrected", "expected_interval")),
              correctedRecorder);
    } catch (RefusedException e) {
      raw.close();
      throw e;
    }
    this.sink =
        (hiccupNanos, expectedNanos) -> {
          rawRecorder.record(hiccupNanos);
          correctedRecorder.record(hiccupNanos, expectedNanos);
        };
    this.store = store;
    this.busy = config;
    this.resting = config.withResolution(RESOLUTION_AT_REST);
    this.harvestsAtRest = harvestsAtRest(store.config());
    this.used = busy;
    this.meter = HiccupMeter.start(used, sink);
    this.intervalsBefore = store.mergedIntervals();
  }

  /** Few enough that no window is empty, and that the series do not end as idle. */
  private static long harvestsAtRest(MergeConfig config) {
    return Stream.concat(
            config.windows().stream().map(WindowSpec::span),
            Stream.of(config.idleExpiry()).filter(expiry -> !expiry.isZero()))
        .mapToLong(span -> Math.max(1, span.toSeconds() / 2))
        .reduce(HARVESTS_AT_REST, Math::min);
  }

  private static SeriesDefinition definition(String name, Labels labels) {
    return new SeriesDefinition(
        new SeriesKey(name, labels),
        Unit.NANOSECONDS,
        "Pauses of the JVM and the machine, as any thread may have met them.",
        LAYOUT,
        HIGHEST_NANOS);
  }

  /**
   * Merges what was measured since the last merge, or leaves it for a later call while it rests; to
   * be called once a second. A store that refuses costs the control's counts only, and is logged
   * once.
   */
  public void harvest(long wallMillis) {
    quietHarvests = store.mergedIntervals() == intervalsBefore ? quietHarvests + 1 : 0;
    boolean rests = quietHarvests >= HARVESTS_UNTIL_REST;
    if (!rests || quietHarvests % harvestsAtRest == 0) {
      merge(wallMillis);
      intervalsBefore = store.mergedIntervals();
    }
    look(rests ? resting : busy);
  }

  private void merge(long wallMillis) {
    try {
      raw.merge(wallMillis);
      corrected.merge(wallMillis);
    } catch (RefusedException e) {
      logRefusal(e);
    }
  }

  private void look(HiccupConfig wanted) {
    if (!wanted.equals(used)) {
      meter.close();
      meter = HiccupMeter.start(wanted, sink);
      used = wanted;
    }
  }

  /** Time between two looks now. */
  Duration resolution() {
    return used.resolution();
  }

  private void logRefusal(Exception e) {
    if (!refused) {
      refused = true;
      System.getLogger(HiccupControl.class.getName())
          .log(Level.WARNING, "event=own_hiccups_refused reason={0}", e.getMessage());
    }
  }

  /** Stops measuring. */
  @Override
  public void close() {
    meter.close();
    raw.close();
    corrected.close();
  }
}
