package io.hdrsidecar.sidecar.transport;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.schedule.OpenLoad;
import io.hdrsidecar.internal.interval.SeriesKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of one thread, and another that asks for the page until it counts them. The n-th value is
 * there once the page counts n; so a time is too long by up to a scrape and {@link
 * #BETWEEN_SCRAPES}, never too short.
 */
final class RecordToPage {
  private static final Duration BETWEEN_SCRAPES = Duration.ofMillis(10);

  /** Ten intervals: values that are missing then are lost, or the page is of another sidecar. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LatencyRecorder probe;
  private final LatencyRecorder times;
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final Pattern sample;
  private final AtomicLongArray intendedStarts;
  private int onPage;

  RecordToPage(HdrSidecarClient client, SeriesKey probes, URI httpAddress, int values) {
    probe = client.recorder(probes.name(), probes.labels());
    times = client.recorder(TimedRoute.SERIES_NAME, TimedRoute.PAGE.labels());
    request = HttpRequest.newBuilder(httpAddress.resolve("/metrics")).timeout(PATIENCE).build();
    sample =
        Pattern.compile(
            "^" + Pattern.quote(probes.name() + "_seconds_count" + probes.labels()) + " (\\d+)",
            Pattern.MULTILINE);
    intendedStarts = new AtomicLongArray(values);
  }

  /** Records the values, each after its intended start is known. */
  Void record(OpenLoad load) throws InterruptedException {
    int[] next = {0};
    load.run(
        intendedStarts.length(),
        intended -> {
          intendedStarts.set(next[0]++, intended);
          probe.record(1);
        });
    return null;
  }

  /** Asks until all are counted. */
  Void watch() throws IOException, InterruptedException {
    long seen = System.nanoTime();
    while (onPage < intendedStarts.length()) {
      int counted = counted();
      long now = System.nanoTime();
      for (; onPage < counted; onPage++) {
        times.record(now - intendedStarts.get(onPage));
        seen = now;
      }
      if (now - seen > PATIENCE.toNanos()) {
        throw new IOException(
            "values did not come to "
                + request.uri()
                + " within "
                + PATIENCE
                + ": "
                + (intendedStarts.length() - onPage));
      }
      Thread.sleep(BETWEEN_SCRAPES.toMillis());
    }
    return null;
  }

  private int counted() throws IOException, InterruptedException {
    Matcher found = sample.matcher(http.send(request, BodyHandlers.ofString()).body());
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }
}
