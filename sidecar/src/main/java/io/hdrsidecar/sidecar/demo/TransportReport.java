package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.sidecar.transport.TimedRoute;
import io.hdrsidecar.sidecar.transport.TransportTimes;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What a message takes on this machine, as the sidecar counted it, once the load has ended. */
final class TransportReport {
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final double NANOS_PER_MICRO = 1e3;

  private final RunningSidecar sidecar;
  private final SidecarApi api;
  private final PrintWriter out;

  TransportReport(RunningSidecar sidecar, SidecarApi api, PrintWriter out) {
    this.sidecar = sidecar;
    this.api = api;
    this.out = out;
  }

  /**
   * Times the routes and prints a row for each.
   *
   * @param config of a client of that sidecar
   * @param ofLoad how long the load was; the times take no longer, and 5 s at most
   * @throws IOException when a route broke, or not every time reached the sidecar
   */
  void run(ClientConfig config, Duration ofLoad) throws IOException, InterruptedException {
    Duration duration = ofLoad.compareTo(LONGEST) < 0 ? ofLoad : LONGEST;
    out.printf(
        "%nThere and back without that load, from the intended start, in us; %d a second, for %d"
            + " ms:%n",
        TransportTimes.TRIPS_PER_SECOND, duration.toMillis());
    out.flush();
    try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
      TransportTimes.measure(
          client, sidecar.ingestAddress(), sidecar.unixAddress(), sidecar.httpAddress(), duration);
      DeliveryResult delivery = client.close(Demo.DELIVERY_DEADLINE);
      if (!delivery.deliveredAll()) {
        throw new IOException("not every time reached the sidecar: " + delivery);
      }
    }
    row("", "count", "p50", "p99", "p99.9", "max");
    for (TimedRoute route : TimedRoute.values()) {
      Optional<SeriesStatistics> times = api.statistics(route.selector(), "total");
      times.ifPresent(
          of ->
              row(
                  route.title(),
                  Long.toString(of.count()),
                  micros(of.at(50)),
                  micros(of.at(99)),
                  micros(of.at(99.9)),
                  micros(of.max())));
    }
    out.flush();
  }

  private void row(String title, String count, String... times) {
    out.printf(
        "  %-28s %6s %11s %11s %11s %11s%n", title, count, times[0], times[1], times[2], times[3]);
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO);
  }
}
