package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Asks a node over HTTP, and lets HdrHistogram read the answers. */
final class NodeAnswers {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Something that will be. */
  interface Condition {
    boolean holds() throws Exception;
  }

  private NodeAnswers() {}

  /** Returns when that is so, and fails when it is not within three minutes. */
  static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
      }
      Thread.sleep(50);
    }
  }

  /** The answer to GET, whatever its status. */
  static HttpResponse<byte[]> get(URI node, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(node.resolve(path)).timeout(Duration.ofSeconds(20)).build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /**
   * Counts since start by the highest value of each bucket; empty when the node has no such series.
   */
  static Map<Long, Long> buckets(URI node, FleetSeries series)
      throws IOException, InterruptedException {
    return buckets(node, series, "");
  }

  /** The same with more parameters. */
  static Map<Long, Long> buckets(URI node, FleetSeries series, String parameters)
      throws IOException, InterruptedException {
    return bucketsOf(node, series.key().toString(), parameters);
  }

  /** The same of all series that a selector matches. */
  static Map<Long, Long> bucketsOf(URI node, String series, String parameters)
      throws IOException, InterruptedException {
    String selector = URLEncoder.encode(series, StandardCharsets.UTF_8);
    HttpResponse<byte[]> answer =
        get(node, "/api/v1/histogram?format=v2&series=" + selector + parameters);
    if (answer.statusCode() != 200) {
      return Map.of();
    }
    try {
      return SentIntervals.buckets(
          Histogram.decodeFromCompressedByteBuffer(
              ByteBuffer.wrap(Base64.getMimeDecoder().decode(answer.body())), 0));
    } catch (DataFormatException e) {
      throw new IOException(e);
    }
  }

  static boolean isReady(URI node) throws InterruptedException {
    try {
      return get(node, "/-/ready").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  static String text(URI node, String path) throws IOException, InterruptedException {
    return new String(get(node, path).body(), StandardCharsets.UTF_8);
  }
}
