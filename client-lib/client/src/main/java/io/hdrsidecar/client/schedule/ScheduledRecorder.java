package io.hdrsidecar.client.schedule;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;

/**
 * Records response, service and wait time of calls whose intended start is known, as three series
 * of one name with the label {@code kind}.
 *
 * <p>All times are on the scale of {@link System#nanoTime()}. An intended start is the {@code
 * nanoTime} at which the schedule began plus {@link Schedule#startNanos}.
 *
 * <ul>
 *   <li>{@code kind="service"}: end - actual start
 *   <li>{@code kind="wait"}: actual start - intended start; 0 for a call that started early
 *   <li>{@code kind="response"}: end - intended start; for a call that started early, end - actual
 *       start, as nobody waited before it
 * </ul>
 *
 * <p>So response = wait + service holds for every call whose times are within the range of the
 * series. Of one that is not, each of the three counts as the nearest end of the range by itself:
 * in the range of an hour, a call that waited two hours and took a second has a wait of an hour and
 * a response of an hour.
 *
 * <p>All methods are for any thread and never throw, block or log; {@link #record} does not
 * allocate, {@link #begin} allocates the handle.
 */
public final class ScheduledRecorder {
  private static final String KIND = "kind";

  private final LatencyRecorder response;
  private final LatencyRecorder service;
  private final LatencyRecorder wait;

  private ScheduledRecorder(
      LatencyRecorder response, LatencyRecorder service, LatencyRecorder wait) {
    this.response = response;
    this.service = service;
    this.wait = wait;
  }

  /** The three series in nanoseconds, 1 ns to 1 h at 3 digits; see the other method. */
  public static ScheduledRecorder of(HdrSidecarClient client, String name, Labels labels) {
    return of(client, name, labels, RecorderConfig.latency());
  }

  /**
   * The three series of a name and labels, created where they do not exist yet.
   *
   * @param labels without {@code kind}
   * @param config in nanoseconds
   * @throws IllegalArgumentException when labels set {@code kind}, the unit is another, or {@link
   *     HdrSidecarClient#recorder(String, Labels, RecorderConfig)} refuses a series
   */
  public static ScheduledRecorder of(
      HdrSidecarClient client, String name, Labels labels, RecorderConfig config) {
    if (!labels.get(KIND).isEmpty()) {
      throw new IllegalArgumentException(
          "label kind tells response, service and wait time apart and cannot be set: "
              + labels.get(KIND));
    }
    if (config.unit() != Unit.NANOSECONDS) {
      throw new IllegalArgumentException(
          "scheduled times must be recorded in nanoseconds: " + config.unit());
    }
    return new ScheduledRecorder(
        client.recorder(name, labels.with(KIND, "response"), config),
        client.recorder(name, labels.with(KIND, "service"), config),
        client.recorder(name, labels.with(KIND, "wait"), config));
  }

  /**
   * Starts a call now.
   *
   * @param intendedStartNanos when it was meant to start, on the scale of {@link System#nanoTime()}
   */
  public ScheduledCall begin(long intendedStartNanos) {
    return new ScheduledCall(this, intendedStartNanos, System.nanoTime());
  }

  /**
   * Records a call whose three times are known, all on the scale of {@link System#nanoTime()}. An
   * end before the actual start is a service time of 0 and counts as clamped; the response time is
   * the wait then. Each of the three is limited to the series' range by itself.
   */
  public void record(long intendedStartNanos, long actualStartNanos, long endNanos) {
    long waited = Math.max(0, actualStartNanos - intendedStartNanos);
    long served = endNanos - actualStartNanos;
    wait.record(waited);
    service.record(served);
    long responded = waited + Math.max(0, served);
    response.record(responded < 0 ? Long.MAX_VALUE : responded); // two longs may be too large
  }
}
