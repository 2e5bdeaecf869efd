package io.hdrsidecar.tests.dashboards;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.client.schedule.OpenLoad;
import io.hdrsidecar.client.schedule.Schedule;
import io.hdrsidecar.client.schedule.ScheduledRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service under an open load, until it is killed. It has one story: in the middle third of a time
 * it is told, a call takes very long every ten seconds, and the calls behind it wait.
 *
 * <p>Arguments: address of the sidecar, seconds of the story, milliseconds of a long call (0 for a
 * service without trouble).
 */
public final class PodLoad {
  private static final int CALLS_A_SECOND = 100;

  /** About as many a second as callers who wait for each reply would send. */
  private static final Duration EXPECTED_INTERVAL = Duration.ofMillis(10);

  private static final long BETWEEN_LONG_CALLS = TimeUnit.SECONDS.toNanos(10);

  private final SplittableRandom random = new SplittableRandom(1);
  private final long begin = System.nanoTime();
  private final long storyNanos;
  private final long longCallNanos;
  private long nextLongCall;

  private PodLoad(long storyNanos, long longCallNanos) {
    this.storyNanos = storyNanos;
    this.longCallNanos = longCallNanos;
    this.nextLongCall = begin + storyNanos / 3;
  }

  /** Runs it; see the class for the arguments. */
  public static void main(String[] arguments) throws InterruptedException {
    PodLoad load =
        new PodLoad(
            TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1])),
            TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[2])));
    ClientConfig config =
        ClientConfig.builder()
            .address(arguments[0])
            .commonLabels(Labels.of("app", "shop"))
            .hiccups(true)
            .build();
    try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
      load.run(client);
    }
  }

  private void run(HdrSidecarClient client) throws InterruptedException {
    Labels route = Labels.of("route", "/pay");
    ScheduledRecorder checkout = ScheduledRecorder.of(client, "checkout", route);
    LatencyRecorder query = client.recorder("query", Labels.of("table", "orders"));
    LatencyRecorder body =
        client.recorder("body", route, RecorderConfig.of(Unit.BYTES).withRange(1, 1 << 20));
    OpenLoad.of(Schedule.fixedRate(CALLS_A_SECOND))
        .run(
            Long.MAX_VALUE,
            intendedStart -> {
              long start = System.nanoTime();
              LockSupport.parkNanos(serviceNanos(start));
              long end = System.nanoTime();
              checkout.record(intendedStart, start, end);
              query.recordWithExpectedInterval((end - start) / 2, EXPECTED_INTERVAL.toNanos());
              body.record(100 + random.nextInt(10_000));
            });
  }

  /** Nine in ten take about a millisecond, one about eight; and the story. */
  private long serviceNanos(long now) {
    boolean inStory = now < begin + storyNanos * 2 / 3;
    if (longCallNanos > 0 && inStory && now >= nextLongCall) {
      nextLongCall = now + BETWEEN_LONG_CALLS;
      return longCallNanos;
    }
    double millis = (random.nextInt(10) == 0 ? 8 : 1) * Math.exp(0.3 * random.nextGaussian());
    return (long) (millis * 1e6);
  }
}
