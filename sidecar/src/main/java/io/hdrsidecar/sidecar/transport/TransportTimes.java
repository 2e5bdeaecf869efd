package io.hdrsidecar.sidecar.transport;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.schedule.OpenLoad;
import io.hdrsidecar.client.schedule.Schedule;
import io.hdrsidecar.internal.interval.SeriesKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Times all routes at once, each by a thread of its own on a fixed schedule. A time runs from the
 * intended start, so a trip that is held up by the one before counts the wait, too.
 */
public final class TransportTimes {
  /** Trips a second on each route; apart by 5 ms, since all share the processors. */
  public static final int TRIPS_PER_SECOND = 200;

  /** Not timed: until the code is compiled. */
  private static final int WARM_UP_TRIPS = 1_000;

  private final HdrSidecarClient client;
  private final long trips;

  private TransportTimes(HdrSidecarClient client, long trips) {
    this.client = client;
    this.trips = trips;
  }

  /**
   * Makes the trips and records them.
   *
   * @param client to the sidecar that is timed; takes the times
   * @param tcpAddress where that sidecar takes intervals: {@code tcp://127.0.0.1:9924}
   * @param unixAddress the same over a Unix socket; without it, Unix sockets are not timed
   * @param httpAddress where its {@code /metrics} is
   * @param duration of the schedules
   * @throws IOException when a route broke, or values did not get to the page
   * @throws InterruptedException when interrupted; nothing goes on then
   */
  public static void measure(
      HdrSidecarClient client,
      String tcpAddress,
      Optional<String> unixAddress,
      URI httpAddress,
      Duration duration)
      throws IOException, InterruptedException {
    long trips = Math.max(1, duration.toMillis() * TRIPS_PER_SECOND / 1_000);
    TransportTimes times = new TransportTimes(client, trips);
    List<Callable<Void>> routes = new ArrayList<>();
    routes.add(() -> times.time(TimedRoute.PING_TCP, Ping.overTcp()));
    routes.add(() -> times.time(TimedRoute.ACK_TCP, acknowledged(TimedRoute.ACK_TCP, tcpAddress)));
    RecordToPage pages =
        new RecordToPage(client, probes(TimedRoute.PAGE), httpAddress, (int) trips);
    routes.add(() -> pages.record(schedule()));
    routes.add(pages::watch);
    unixAddress.ifPresent(
        address -> {
          routes.add(times::timePingOverUnixSocket);
          routes.add(
              () -> times.time(TimedRoute.ACK_UNIX, acknowledged(TimedRoute.ACK_UNIX, address)));
        });
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Future<Void> ended : threads.invokeAll(routes)) {
        ended.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("transport cannot be timed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static RoundTrip acknowledged(TimedRoute route, String address) throws IOException {
    return new AcknowledgedInterval(address, probes(route));
  }

  /** Values and intervals that are sent only to see how long it takes. */
  private static SeriesKey probes(TimedRoute route) {
    return new SeriesKey("demo_probe", route.labels());
  }

  private Void timePingOverUnixSocket() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("hdr-sidecar-ping");
    try {
      return time(TimedRoute.PING_UNIX, Ping.overUnixSocket(folder));
    } finally {
      Files.delete(folder);
    }
  }

  private Void time(TimedRoute route, RoundTrip trip) throws IOException, InterruptedException {
    LatencyRecorder recorder = client.recorder(TimedRoute.SERIES_NAME, route.labels());
    try (trip) {
      for (int i = 0; i < WARM_UP_TRIPS; i++) {
        trip.go();
      }
      schedule().run(trips, intended -> timeOne(trip, intended, recorder));
      return null;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void timeOne(RoundTrip trip, long intendedStartNanos, LatencyRecorder recorder) {
    try {
      trip.go();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    recorder.record(System.nanoTime() - intendedStartNanos);
  }

  private static OpenLoad schedule() {
    return OpenLoad.of(Schedule.fixedRate(TRIPS_PER_SECOND));
  }
}
