package io.hdrsidecar.benchmarks.freshness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A counter on a page of metrics in text form. */
final class CountedOnPage {
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final Pattern sample;

  CountedOnPage(URI server, String name) {
    this.request = HttpRequest.newBuilder(server.resolve("/metrics")).build();
    this.sample = Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE);
  }

  /** Scrapes until the counter has reached a number. */
  void await(long count, Duration betweenScrapes, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (scrape() < count) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("not counted within " + patience + ": " + request.uri());
      }
      LockSupport.parkNanos(betweenScrapes.toNanos());
    }
  }

  private long scrape() throws IOException, InterruptedException {
    HttpResponse<String> page = client.send(request, BodyHandlers.ofString());
    Matcher matcher = sample.matcher(page.body());
    return matcher.find() ? (long) Double.parseDouble(matcher.group(1)) : 0;
  }
}
