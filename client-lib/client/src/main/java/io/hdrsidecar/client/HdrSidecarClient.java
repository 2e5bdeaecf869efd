package io.hdrsidecar.client;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.client.hiccup.HiccupMeter;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.send.IntervalSender;
import io.hdrsidecar.internal.send.SendFigures;
import io.hdrsidecar.series.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Records latencies and sends what was recorded to the sidecar, each interval exactly once.
 *
 * <pre>{@code
 * try (HdrSidecarClient client = HdrSidecarClient.create(ClientConfig.builder().build())) {
 *   LatencyRecorder checkout = client.recorder("checkout", Labels.of("route", "/pay"));
 *   checkout.time(() -> pay());
 * }
 * }</pre>
 *
 * <p>The application never notices a sidecar that is absent, slow or broken: nothing throws,
 * nothing blocks, there is one log line per change of state (logger {@code io.hdrsidecar.client}),
 * and {@link #health()} tells. Meanwhile what was recorded waits, added together per series, so
 * memory is bounded by the number of series and no count is lost. One daemon thread per client
 * samples and sends; a host name is looked up on another, which ends with that. All methods are for
 * any thread.
 */
public final class HdrSidecarClient implements AutoCloseable {
  /**
   * Name of the series of hiccups as jHiccup publishes them, corrected by the expected interval and
   * labelled {@code corrected="expected_interval"}; exposed as {@code jvm_hiccup_seconds}.
   */
  public static final String HICCUPS = "jvm_hiccup";

  /**
   * Name of the series of hiccups as measured, one value per wake-up. A name of its own, so that no
   * query by name mixes both.
   */
  public static final String RAW_HICCUPS = "jvm_hiccup_raw";

  /** jHiccup's own range and precision, so that its logs and these series add bucket by bucket. */
  private static final RecorderConfig HICCUP_RECORDER =
      RecorderConfig.latency()
          .withRange(20_000, Duration.ofDays(30).toNanos())
          .withSignificantDigits(2)
          .withHelp("Pauses of the JVM and the machine, as any thread may have met them.");

  private final ClientConfig config;
  private final IntervalSender sender;
  private final RecordingTally tally = new RecordingTally();
  private final Sampling sampling;
  private final RecorderRegistry registry;
  private final Optional<HiccupMeter> hiccupMeter;
  private final ShutdownHook hook;

  private HdrSidecarClient(ClientConfig config) {
    this.config = config;
    this.sender = IntervalSender.start(config.sendConfig(), tally::figures);
    this.sampling = new Sampling(sender, config.sendConfig().clock(), tally);
    this.registry = new RecorderRegistry(config.maxSeries(), config.commonLabels(), sampling);
    this.hiccupMeter = config.hiccups().map(this::startHiccups);
    this.hook = new ShutdownHook(this::closeAtTheEnd);
    sender.whenEnded(hook::remove);
    if (config.shutdownHook()) {
      hook.add();
    }
  }

  /** Other hooks run at the same time, and requests may end in them. */
  private void closeAtTheEnd() {
    sender.stayUntilTheJvmEnds();
    close();
  }

  private HiccupMeter startHiccups(HiccupConfig hiccups) {
    SeriesKey raw = new SeriesKey(RAW_HICCUPS, Labels.empty());
    return HiccupMeter.start(
        hiccups, registry.get(raw, HICCUPS, HICCUP_RECORDER)::recordWithExpectedInterval);
  }

  /** A client with these settings; it starts to look for the sidecar at once, without waiting. */
  public static HdrSidecarClient create(ClientConfig config) {
    return new HdrSidecarClient(requireNonNull(config, "config"));
  }

  /**
   * A client with the settings of the environment; see {@link ClientConfig#fromEnvironment}.
   *
   * @throws IllegalArgumentException naming every variable that is wrong
   */
  public static HdrSidecarClient fromEnvironment() {
    return create(ClientConfig.fromEnvironment(System.getenv()));
  }

  /** The recorder of latencies in nanoseconds, 1 ns to 1 h at 3 digits, without labels. */
  public LatencyRecorder recorder(String name) {
    return recorder(name, Labels.empty());
  }

  /** The recorder of latencies in nanoseconds, 1 ns to 1 h at 3 digits. */
  public LatencyRecorder recorder(String name, Labels labels) {
    return recorder(name, labels, RecorderConfig.latency());
  }

  /**
   * The recorder of a series: the same one for the same name and labels. Keep it: a lookup costs
   * more than recording.
   *
   * <p>Above {@link ClientConfig#maxSeries} series, new label sets of a name share one recorder
   * labelled {@code overflow="true"}; such lookups are counted in {@link #health()}. Series that
   * must not be added up, as response and wait time ({@code kind}), have overflow recorders of
   * their own. They come on top of the limit, at most {@value OverflowLabels#MOST} for a name:
   * names are expected to be written in code, label values not.
   *
   * @param name as Prometheus allows, without unit: {@code checkout}, not {@code checkout_seconds}
   * @param labels in addition to the common labels of the client; 31 with these at most
   * @throws IllegalArgumentException when the name is none, a label contradicts a common label,
   *     there are too many, or the series exists with another configuration; the message states
   *     both
   */
  public LatencyRecorder recorder(String name, Labels labels, RecorderConfig recorderConfig) {
    requireNonNull(recorderConfig, "recorderConfig");
    return registry.get(
        new SeriesKey(requireNonNull(name, "name"), requireNonNull(labels, "labels")),
        recorderConfig);
  }

  /**
   * Forgets a series. Values recorded so far are still delivered; values recorded afterwards into
   * the removed recorder, by threads that kept it, reach nobody. A later lookup of the same name
   * and labels gives a new recorder for the same series.
   *
   * @return whether it was there; an overflow recorder, being shared, stays and gives false
   */
  public boolean remove(LatencyRecorder recorder) {
    return registry.remove(recorder);
  }

  /**
   * Discards the values that any recorder of this client records before a time; see {@link
   * LatencyRecorder#discardUntil}. A recorder that was told a later time keeps to that.
   */
  public void discardUntil(Instant time) {
    sampling.discardTime().until(time);
  }

  /** {@link LatencyRecorder#reset} for all recorders of this client. */
  public void reset() {
    sampling.discardTime().atLeastUntil(sampling.clock().instant());
  }

  /**
   * The client's own figures, as of its last turn, at most a few milliseconds or one interval old.
   */
  public ClientHealth health() {
    return new ClientHealth(sender.figures(), tally);
  }

  /**
   * Delivers all that was recorded before, and says goodbye. Blocks until the sidecar has
   * acknowledged everything or the deadline passes; a sidecar that is away is tried again every 50
   * ms until then. An interrupt does not shorten the wait, and is kept.
   *
   * <p>Closing ends nothing that others still do: what they record afterwards, as in requests that
   * end while a web server shuts down, is sampled every 50 ms (or each interval, if that is
   * shorter) and delivered as before. That goes on until the JVM ends, or until nothing was
   * recorded for a minute in a JVM that lives on; then the thread and the shutdown hook are gone,
   * and what is recorded from then on waits for another close, or is lost with the JVM. So close
   * whatever records first and this last, or close this twice: each close delivers what was
   * recorded until then. The shutdown hook does it once more, when the JVM begins to end.
   *
   * <p>Values recorded in other hooks within the last 50 ms before the JVM has ended, without a
   * close behind them, may be lost, and neither a log line nor a figure, here or at the sidecar,
   * says so: nothing of the client runs after the last hook, so these values are never taken from
   * their recorders. Only a count of your own, compared with the sidecar's, shows it. Close the
   * client at the end of such a hook, and they are delivered.
   *
   * <p>With a {@linkplain ClientConfig.Builder#spillFolder spill folder}, what is not acknowledged
   * by the deadline is written there, together with what was recorded meanwhile, for which close
   * waits up to 10 s more. Without one it waits for the sidecar as long as the thread goes on; a
   * close that finds nothing new since one that failed does not wait again.
   *
   * @param deadline longest wait; zero or negative gives up at once what is not acknowledged yet
   * @return what was not delivered so far, also by earlier closes; one log line says the same
   */
  public DeliveryResult close(Duration deadline) {
    hiccupMeter.ifPresent(HiccupMeter::close);
    IntervalSender.Closed closed = sender.close(deadline);
    SendFigures last = closed.figures();
    return new DeliveryResult(
        closed.inTime() && last.undeliveredIntervals() == 0,
        last.undeliveredIntervals(),
        last.undeliveredValues(),
        last.spilled().intervals(),
        last.spilled().values(),
        last.spilled().file());
  }

  /**
   * Whether the client was closed, and its thread has ended since, as nothing was recorded for a
   * minute. Values recorded now reach nobody unless {@link #close} is called again.
   */
  public boolean hasEnded() {
    return sender.hasEnded();
  }

  /** {@link #close(Duration)} with {@link ClientConfig#closeTimeout}. */
  @Override
  public void close() {
    close(config.closeTimeout());
  }
}
