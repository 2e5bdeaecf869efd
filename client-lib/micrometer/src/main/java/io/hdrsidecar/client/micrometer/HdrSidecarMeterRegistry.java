package io.hdrsidecar.client.micrometer;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionCounter;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.internal.DefaultGauge;
import io.micrometer.core.instrument.internal.DefaultMeter;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.micrometer.core.instrument.noop.NoopFunctionCounter;
import io.micrometer.core.instrument.noop.NoopFunctionTimer;
import io.micrometer.core.instrument.noop.NoopGauge;
import io.micrometer.core.instrument.noop.NoopMeter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends the values of Micrometer's timers, distribution summaries and long task timers to the
 * sidecar, each counted exactly.
 *
 * <p>It stands beside the registry the application has already; Micrometer hands each value to
 * both:
 *
 * <pre>{@code
 * CompositeMeterRegistry registry = new CompositeMeterRegistry();
 * registry.add(prometheusRegistry);
 * registry.add(HdrSidecarMeterRegistry.create(ClientConfig.builder().build()));
 * }</pre>
 *
 * <ul>
 *   <li>Timers: nanoseconds, 1 ns to 1 h, 3 significant digits, shown in seconds. {@code
 *       percentilePrecision} sets the digits, the expected values the range; an expected maximum
 *       below an hour does not cut off what is above it.
 *   <li>Distribution summaries: whole numbers, so an amount is off by at most 0.5 after
 *       Micrometer's own {@code scale}; for fractions, scale them up or give a base unit of time,
 *       which is counted in nanoseconds.
 *   <li>Long task timers: each task's duration when it stops; up to 7 days.
 *   <li>Counters, gauges and all others work in process and are not sent.
 * </ul>
 *
 * <p>Count and total of a meter are those since it was made, its maximum fades; see {@link
 * HdrSidecarRegistryConfig}. Pause detectors and percentiles of Micrometer are not used: raw values
 * stay raw, and the sidecar has all percentiles. Tags become labels; one whose name the exposition
 * keeps for itself, such as {@code job}, gets the prefix {@code exported_}, as in Prometheus, and
 * so does a meter whose name begins as the sidecar's own metrics do, with {@code hdr.} or {@code
 * process.}. A meter whose series the client refuses (a label that contradicts a common one, or the
 * same series with another unit) works in process, and one warning and {@code
 * onMeterRegistrationFailed} say so.
 *
 * <p>For Micrometer 1.13 to 1.17. On another that lacks something the registry links with, its
 * meters work in process as far as Micrometer has any, and one warning names the version; no error
 * of linkage reaches who registers a meter.
 *
 * <p>For any thread. Recording never throws or blocks.
 *
 * @see <a href="https://docs.micrometer.io/micrometer/reference/concepts/registry.html">Micrometer
 *     on registries</a>
 */
public final class HdrSidecarMeterRegistry extends MeterRegistry {
  private static final Logger LOGGER = System.getLogger("io.hdrsidecar.client.micrometer");
  private static final int SIGNIFICANT_DIGITS = 3;

  private final HdrSidecarRegistryConfig registryConfig;
  private final SharedRecorders recorders;
  private final Fallbacks fallbacks;
  private final HdrSidecarClient client;
  private final boolean ownsClient;
  private volatile boolean closeWasCalled;

  /** A registry over a client that the application made and will close. */
  public HdrSidecarMeterRegistry(HdrSidecarClient client) {
    this(client, HdrSidecarRegistryConfig.defaults(), Clock.SYSTEM);
  }

  /**
   * A registry over a client that the application made and will close.
   *
   * @param clock what timers and fading maxima read; intervals follow the client's own clock
   */
  public HdrSidecarMeterRegistry(
      HdrSidecarClient client, HdrSidecarRegistryConfig config, Clock clock) {
    this(client, config, clock, LatencyRecorder::record);
  }

  /**
   * A registry over a client that the application made and will close, whose values get into their
   * recorders as the application says: for example with the trace they belong to, {@code (recorder,
   * value) -> recorder.record(value, traceId(), spanId())}.
   *
   * @param clock what timers and fading maxima read; intervals follow the client's own clock
   * @param recording puts a value, in the unit of the recorder, into it. Called once for each
   *     value, on the thread that records it; must be fast, and must not throw
   */
  public HdrSidecarMeterRegistry(
      HdrSidecarClient client,
      HdrSidecarRegistryConfig config,
      Clock clock,
      ObjLongConsumer<LatencyRecorder> recording) {
    this(client, config, clock, recording, false);
  }

  private HdrSidecarMeterRegistry(
      HdrSidecarClient client,
      HdrSidecarRegistryConfig config,
      Clock clock,
      ObjLongConsumer<LatencyRecorder> recording,
      boolean ownsClient) {
    super(clock);
    this.client = requireNonNull(client, "client");
    this.registryConfig = requireNonNull(config, "config");
    this.ownsClient = ownsClient;
    this.recorders = new SharedRecorders(client, requireNonNull(recording, "recording"));
    this.fallbacks = new Fallbacks(clock, LOGGER);
    config().namingConvention(new HdrSidecarNamingConvention());
    config().onMeterRemoved(HdrSidecarMeterRegistry::release);
  }

  private static void release(Meter removed) {
    if (removed instanceof SentMeter meter) {
      meter.release();
    }
  }

  /** A registry with a client of its own, which {@link #close()} flushes and closes. */
  public static HdrSidecarMeterRegistry create(ClientConfig config) {
    return create(config, HdrSidecarRegistryConfig.defaults());
  }

  /** A registry with a client of its own, which {@link #close()} flushes and closes. */
  public static HdrSidecarMeterRegistry create(
      ClientConfig clientConfig, HdrSidecarRegistryConfig config) {
    return new HdrSidecarMeterRegistry(
        HdrSidecarClient.create(clientConfig), config, Clock.SYSTEM, LatencyRecorder::record, true);
  }

  /**
   * A registry with a client of its own, configured by the environment; see {@link
   * ClientConfig#fromEnvironment}.
   *
   * @throws IllegalArgumentException naming every variable that is wrong
   */
  public static HdrSidecarMeterRegistry fromEnvironment() {
    return create(ClientConfig.fromEnvironment(System.getenv()));
  }

  /** The client that sends, for example to read its {@link HdrSidecarClient#health()}. */
  public HdrSidecarClient client() {
    return client;
  }

  @Override
  protected Timer newTimer(
      Meter.Id id, DistributionStatisticConfig statistics, PauseDetector pauseDetector) {
    return fallbacks.timer(
        id,
        () ->
            new RecordingTimer(
                id,
                clock,
                statistics,
                registryConfig.snapshotHistograms(),
                output(id, () -> durations(id, statistics, ExpectedRange.TIMER))));
  }

  @Override
  protected LongTaskTimer newLongTaskTimer(Meter.Id id, DistributionStatisticConfig statistics) {
    return fallbacks.longTaskTimer(
        id,
        () ->
            new RecordingLongTaskTimer(
                id,
                clock,
                statistics,
                output(id, () -> durations(id, statistics, ExpectedRange.LONG_TASK_TIMER))));
  }

  @Override
  protected DistributionSummary newDistributionSummary(
      Meter.Id id, DistributionStatisticConfig statistics, double scale) {
    return fallbacks.summary(
        id,
        scale,
        () ->
            new RecordingSummary(
                id,
                clock,
                statistics,
                scale,
                registryConfig.snapshotHistograms(),
                output(id, () -> amounts(id, statistics))));
  }

  private MeterSeries amounts(Meter.Id id, DistributionStatisticConfig statistics) {
    return MeterSeries.ofAmounts(id, getConventionName(id), getConventionTags(id), statistics);
  }

  private MeterSeries durations(
      Meter.Id id, DistributionStatisticConfig statistics, ExpectedRange builderDefault) {
    return MeterSeries.ofDurations(
        id, getConventionName(id), getConventionTags(id), statistics, builderDefault);
  }

  /** Micrometer's callers do not expect an exception when a meter is made: warn and go on. */
  private SeriesOutput output(Meter.Id id, Supplier<MeterSeries> series) {
    try {
      return recorders.open(series.get());
    } catch (RuntimeException e) {
      String reason = "not sent to the sidecar: " + e.getMessage();
      LOGGER.log(Level.WARNING, "meter={0}{1}: {2}", id.getName(), id.getTags(), reason);
      meterRegistrationFailed(id, reason);
      return SeriesOutput.NONE;
    }
  }

  @Override
  protected Counter newCounter(Meter.Id id) {
    return fallbacks.<Counter>other(id, () -> new CumulativeCounter(id), () -> new NoopCounter(id));
  }

  @Override
  protected <T> Gauge newGauge(Meter.Id id, @Nullable T source, ToDoubleFunction<T> value) {
    return fallbacks.<Gauge>other(
        id, () -> new DefaultGauge<>(id, source, value), () -> new NoopGauge(id));
  }

  @Override
  protected <T> FunctionCounter newFunctionCounter(
      Meter.Id id, T source, ToDoubleFunction<T> count) {
    return fallbacks.<FunctionCounter>other(
        id,
        () -> new CumulativeFunctionCounter<>(id, source, count),
        () -> new NoopFunctionCounter(id));
  }

  @Override
  protected <T> FunctionTimer newFunctionTimer(
      Meter.Id id,
      T source,
      ToLongFunction<T> count,
      ToDoubleFunction<T> total,
      TimeUnit totalUnit) {
    return fallbacks.<FunctionTimer>other(
        id,
        () -> new CumulativeFunctionTimer<>(id, source, count, total, totalUnit, getBaseTimeUnit()),
        () -> new NoopFunctionTimer(id));
  }

  @Override
  protected Meter newMeter(Meter.Id id, Meter.Type type, Iterable<Measurement> measurements) {
    return fallbacks.<Meter>other(
        id, () -> new DefaultMeter(id, type, measurements), () -> new NoopMeter(id));
  }

  @Override
  protected TimeUnit getBaseTimeUnit() {
    return TimeUnit.SECONDS;
  }

  @Override
  protected DistributionStatisticConfig defaultHistogramConfig() {
    return DistributionStatisticConfig.builder()
        .expiry(registryConfig.step())
        .percentilePrecision(SIGNIFICANT_DIGITS)
        .build()
        .merge(DistributionStatisticConfig.DEFAULT);
  }

  /**
   * Delivers what was recorded so far, if the client is the registry's own: as {@link
   * HdrSidecarClient#close()}, which takes at most its close timeout, and ends nothing that others
   * still record. A client that was handed in is not touched, and keeps the series.
   *
   * <p>Frameworks close registries before the last requests are answered: Spring Boot does so first
   * of all, and its web server, with {@code server.shutdown=graceful}, then waits for them. So
   * meters, also new ones, go on to send as long as the client does. Boot closes the registry, and
   * the client if it is a bean, once more when it destroys its beans, after the last request; that
   * delivers the rest. One thing is not in our hands: beside other registries in a composite, which
   * is closed with them, a meter that was not there before is one without effect.
   */
  @Override
  public void close() {
    closeWasCalled = true;
    super.close();
    if (ownsClient) {
      client.close();
    }
  }

  /**
   * Whether {@link #close()} was called and nothing is sent any more: Micrometer gives meters
   * without effect for a closed registry, and until then their values count.
   */
  @Override
  public boolean isClosed() {
    return closeWasCalled && client.hasEnded();
  }
}
