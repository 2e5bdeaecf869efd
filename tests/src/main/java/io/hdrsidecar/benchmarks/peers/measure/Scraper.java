package io.hdrsidecar.benchmarks.peers.measure;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * Scrapes as Prometheus does with {@code scrape_native_histograms}: protobuf before text,
 * compressed if the server does that.
 */
public final class Scraper {
  private static final String ACCEPT =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest request;
  private final List<Double> millis = new ArrayList<>();
  private int sentBytes;
  private int pageBytes;

  /** Scrapes this page. */
  public Scraper(URI page) {
    this.request =
        HttpRequest.newBuilder(page)
            .timeout(TIMEOUT)
            .header("Accept", ACCEPT)
            .header("Accept-Encoding", "gzip")
            .build();
  }

  /** The page, as protobuf. */
  public byte[] scrape() throws IOException, InterruptedException {
    long start = System.nanoTime();
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    double took = (System.nanoTime() - start) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    if (response.statusCode() != 200) {
      throw new IOException(request.uri() + " answered " + response.statusCode());
    }
    millis.add(took);
    byte[] page = response.body();
    sentBytes = page.length;
    if (response.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent()) {
      page = new GZIPInputStream(new ByteArrayInputStream(page)).readAllBytes();
    }
    pageBytes = page.length;
    return page;
  }

  /** Median time of a scrape so far, to the last byte, in milliseconds; NaN before the first. */
  public double medianMillis() {
    return millis.isEmpty()
        ? Double.NaN
        : millis.stream().sorted().skip(millis.size() / 2).findFirst().orElseThrow();
  }

  /** Bytes of the last page as they were sent. */
  public int sentBytes() {
    return sentBytes;
  }

  /** Bytes of the last page as it is. */
  public int pageBytes() {
    return pageBytes;
  }
}
