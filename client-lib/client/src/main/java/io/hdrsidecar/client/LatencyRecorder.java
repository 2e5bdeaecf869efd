package io.hdrsidecar.client;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.time.Duration;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records the values of one series. Get it from {@link HdrSidecarClient#recorder} once and keep it.
 *
 * <p>Recording is for any thread, takes nanoseconds, and never throws, blocks, logs or (past the
 * first touch of a range of values) allocates, whatever the state of the sidecar. A negative value
 * counts as 0, one above the highest trackable value as that value; both are counted in {@link
 * ClientHealth}. After the client is closed recording is still harmless; {@link
 * HdrSidecarClient#close(Duration)} says how long those values are still delivered.
 *
 * <p>The time measured here is service time: from the actual start of the work to its end. Callers
 * that wait for each reply before the next request leave out the requests they could not send
 * (coordinated omission); for response time, record the end minus the <em>intended</em> start.
 */
public final class LatencyRecorder {
  private final SeriesDefinition definition;
  private final RecorderConfig config;
  private final SeriesRecorder recorder;
  private final long nanosPerUnit;
  private final Sampling sampling;
  private final DiscardTime discardTime = new DiscardTime();
  private final CorrectedSeries corrected;
  private final OverflowRecorder overflow;
  private final IntervalSource sampled;

  /** Sampled from now on. */
  LatencyRecorder(SeriesKey key, SeriesKey correctedKey, RecorderConfig config, Sampling sampling) {
    BucketLayout layout = config.layout();
    this.config = config;
    this.definition =
        new SeriesDefinition(
            key, config.unit(), config.help(), layout, config.highestTrackableValue());
    this.sampling = sampling;
    this.overflow = new OverflowRecorder(definition, discardTime, sampling);
    CrashSeries crash = sampling.crashSeries(definition);
    this.recorder =
        crash == null
            ? new SeriesRecorder(layout, config.highestTrackableValue())
            : new SeriesRecorder(layout, config.highestTrackableValue(), crash, overflow);
    this.nanosPerUnit = nanosPer(config.unit());
    SeriesDefinition correctedDefinition =
        new SeriesDefinition(
            correctedKey, config.unit(), config.help(), layout, config.highestTrackableValue());
    this.corrected = new CorrectedSeries(correctedDefinition, discardTime, sampling);
    this.sampled = sampling.add(definition, recorder, discardTime);
  }

  private static long nanosPer(Unit unit) {
    return switch (unit) {
      case NANOSECONDS, BYTES, NONE -> 1;
      case MICROSECONDS -> 1_000;
      case MILLISECONDS -> 1_000_000;
      case SECONDS -> 1_000_000_000;
    };
  }

  /**
   * Records a value in the unit of the series: nanoseconds unless {@link RecorderConfig} says
   * otherwise.
   *
   * @param value nanoseconds (or the series' own unit); negative counts as 0, too large as the
   *     highest trackable value
   */
  public void record(long value) {
    recorder.record(value);
  }

  /**
   * Records a value with the trace it belongs to. The slowest such value of each interval travels
   * with it and becomes an exemplar in Prometheus: on the bucket it falls in, and on the native
   * histogram. It is one way from a slow percentile to a request that was slow.
   *
   * <p>Costs as much as {@link #record(long)} and one comparison, and allocates one small object
   * when the value is the slowest of its interval so far.
   *
   * @param value as in {@link #record(long)}
   * @param traceId 1 to 64 visible ASCII characters, such as 32 hexadecimal digits; with others, or
   *     null, the value is recorded and has no exemplar
   */
  public void record(long value, @Nullable String traceId) {
    record(value, traceId, "");
  }

  /**
   * Records a value with the trace and span it belongs to.
   *
   * @param value as in {@link #record(long)}
   * @param traceId as in {@link #record(long, String)}
   * @param spanId 0 to 32 visible ASCII characters, such as 16 hexadecimal digits; null for none
   */
  public void record(long value, @Nullable String traceId, @Nullable String spanId) {
    if (traceId == null) {
      recorder.record(value);
    } else {
      recorder.record(value, traceId, spanId == null ? "" : spanId, System::currentTimeMillis);
    }
  }

  /**
   * Records a service time measured by a caller that waits for each reply before its next request.
   *
   * <p>While stalled such a caller sends nothing, so the slow values are missing (coordinated
   * omission). The value goes to this series as it is. It also goes to a second series, of the same
   * name and labels and {@code corrected="expected_interval"}, together with the values of the
   * requests never sent: value - interval, value - 2 intervals, ... down to one interval. So the
   * second is a whole corrected distribution of what was recorded with an interval, and each is
   * complete without the other: never add them up.
   *
   * <p>Not for response times taken from the intended start, which contain the wait already; where
   * there is one, {@code client.schedule} measures what this can only estimate.
   *
   * <p>Up to 1,024 missing values are recorded at once, in some microseconds; more are left to the
   * sampling thread, within limits ({@link ClientHealth#lostBackFill}).
   *
   * @param value nanoseconds (or the series' own unit) from actual start to end; clamped as in
   *     {@link #record(long)}, before it is corrected
   * @param expectedInterval time between intended starts, in the same unit; 0 or less: nothing is
   *     missing
   * @see org.HdrHistogram.Histogram#recordValueWithExpectedInterval(long, long)
   */
  public void recordWithExpectedInterval(long value, long expectedInterval) {
    recorder.record(value);
    corrected.record(value, expectedInterval);
  }

  /**
   * Records a duration, rounded to the nearest unit of the series. A duration that nanoseconds in a
   * long cannot hold (292 years) counts as too large. On a series of bytes or plain numbers the
   * number of nanoseconds is recorded.
   */
  public void record(Duration duration) {
    recordNanos(saturatedNanos(duration));
  }

  private static long saturatedNanos(Duration duration) {
    long seconds = duration.getSeconds();
    if (seconds >= Long.MAX_VALUE / 1_000_000_000) {
      return Long.MAX_VALUE;
    }
    return seconds < 0 ? -1 : seconds * 1_000_000_000 + duration.getNano();
  }

  void recordNanos(long nanos) {
    long value = nanos;
    if (nanosPerUnit != 1) {
      value = nanos / nanosPerUnit + (nanos % nanosPerUnit >= nanosPerUnit / 2 ? 1 : 0);
    }
    recorder.record(value);
  }

  /**
   * Does the work and records its service time, also when it throws: a call that failed took its
   * time as well.
   *
   * @return what the work returns
   * @throws E what the work throws
   */
  public <T, E extends Exception> T time(TimedCall<T, E> work) throws E {
    long start = System.nanoTime();
    try {
      return work.call();
    } finally {
      recordNanos(System.nanoTime() - start);
    }
  }

  /**
   * Does the work and records its service time, also when it throws.
   *
   * @throws E what the work throws
   */
  public <E extends Exception> void time(TimedAction<E> work) throws E {
    long start = System.nanoTime();
    try {
      work.run();
    } finally {
      recordNanos(System.nanoTime() - start);
    }
  }

  /** Starts a measurement that ends elsewhere, on this thread or another. */
  public Timing start() {
    return new Timing(this, System.nanoTime());
  }

  /**
   * A copy of what was recorded since the client's thread last emptied the recorder, as
   * HdrHistogram's own type. It does so at the end of each interval and each second of a longer
   * one; this removes nothing: a look at the present, not a total. Any thread; allocates.
   */
  public Histogram snapshot() {
    Accumulation copy = new Accumulation(definition.layout());
    recorder.snapshotInto(copy);
    overflow.snapshotInto(copy);
    Histogram histogram =
        new Histogram(
            config.lowestDiscernibleValue(),
            config.highestTrackableValue(),
            config.significantDigits());
    copy.counts()
        .forEach(
            (index, count) ->
                histogram.recordValueWithCount(definition.layout().lowestValueAt(index), count));
    return histogram;
  }

  /**
   * Discards the values recorded before a time, such as those of a warm-up: they are not delivered
   * but counted in {@link ClientHealth#discardedValues}. A later call replaces the time.
   *
   * <p>Discarding is by interval: of the interval in which the time falls nothing is delivered, so
   * values from up to one {@link ClientConfig#interval} after it are discarded as well. Values
   * sampled before this call are delivered. By the wall clock; nothing changes on the recording
   * path.
   */
  public void discardUntil(Instant time) {
    discardTime.until(time);
  }

  /** Discards what was recorded since the last sample, and what is until the next. */
  public void reset() {
    discardTime.atLeastUntil(sampling.clock().instant());
  }

  /** Name of the series. */
  public String name() {
    return key().name();
  }

  /** Labels of the series, without the client's common ones. */
  public Labels labels() {
    return key().labels();
  }

  SeriesKey key() {
    return definition.key();
  }

  /** How it was configured. */
  public RecorderConfig config() {
    return config;
  }

  /** Values recorded so far are still delivered; later ones go nowhere. */
  void stopSampling() {
    sampling.remove(sampled);
    corrected.remove();
    overflow.remove();
  }

  @Override
  public String toString() {
    return "LatencyRecorder[" + definition.key() + "]";
  }
}
