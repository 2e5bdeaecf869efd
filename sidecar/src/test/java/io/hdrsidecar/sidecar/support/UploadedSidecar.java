package io.hdrsidecar.sidecar.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A real sidecar whose history is what tests upload, and queries to it over HTTP. */
public final class UploadedSidecar implements AutoCloseable {
  /** What one series counted between two seconds after the origin. */
  public static final class Interval {
    private final double fromSecond;
    private final double toSecond;
    private final long[] values;

    public Interval(double fromSecond, double toSecond, long... values) {
      this.fromSecond = fromSecond;
      this.toSecond = toSecond;
      this.values = values;
    }

    public double fromSecond() {
      return fromSecond;
    }

    public LongStream values() {
      return Arrays.stream(values);
    }
  }

  /** Ten to eleven minutes ago, on a whole minute. */
  public final long origin = (System.currentTimeMillis() - 600_000) / 60_000 * 60_000;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Sidecar sidecar;

  public UploadedSidecar(Map<String, String> moreFlags) throws Exception {
    Map<String, String> flags = new HashMap<>(moreFlags);
    flags.put("--ingest-port", "0");
    flags.put("--http-port", "0");
    flags.put("--self-hiccups", "off");
    flags.put("--reload", "true");
    sidecar =
        Sidecar.start(
            ConfigLoader.load(flags, Map.of(), null),
            () -> ConfigLoader.load(flags, Map.of(), null));
  }

  /** A histogram as the uploaded ones are. */
  public static Histogram histogram() {
    return new Histogram(1, 1L << 42, 3);
  }

  /**
   * Uploads a log.
   *
   * @param target name, unit and labels as parameters
   */
  public void upload(String target, List<Interval> intervals) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter log = new HistogramLogWriter(bytes);
    log.outputLogFormatVersion();
    // Times in a log are relative and not negative; some here are of another sidecar's origin.
    long base = origin - 3_600_000;
    log.outputStartTime(base);
    log.outputBaseTime(base);
    log.setBaseTime(base);
    for (Interval interval : intervals) {
      Histogram histogram = histogram();
      interval.values().forEach(histogram::recordValue);
      histogram.setStartTimeStamp(origin + Math.round(interval.fromSecond * 1000));
      histogram.setEndTimeStamp(origin + Math.round(interval.toSecond * 1000));
      log.outputIntervalHistogram(histogram);
    }
    log.close();
    HttpResponse<String> answer = post("/api/v1/intervals?" + target, bytes.toByteArray());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getJsonObject("data").getInteger("merged"))
        .isEqualTo(intervals.size());
  }

  public HttpResponse<String> post(String pathAndQuery, byte[] body) throws Exception {
    return http.send(request(pathAndQuery).POST(BodyPublishers.ofByteArray(body)).build(), text());
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    return HttpRequest.newBuilder(sidecar.httpAddress().resolve(pathAndQuery));
  }

  private static HttpResponse.BodyHandler<String> text() {
    return BodyHandlers.ofString();
  }

  public HttpResponse<String> get(String pathAndQuery) throws IOException, InterruptedException {
    return http.send(request(pathAndQuery).build(), text());
  }

  public HttpResponse<String> head(String pathAndQuery) throws IOException, InterruptedException {
    return http.send(
        request(pathAndQuery).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(), text());
  }

  /** Where it serves HTTP. */
  public URI address() {
    return sidecar.httpAddress();
  }

  /** The whole envelope of a success. */
  public JsonObject envelope(String pathAndQuery) throws Exception {
    HttpResponse<String> answer = get(pathAndQuery);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonObject envelope = new JsonObject(answer.body());
    assertThat(envelope.getString("status")).isEqualTo("success");
    return envelope;
  }

  public JsonObject data(String pathAndQuery) throws Exception {
    return envelope(pathAndQuery).getJsonObject("data");
  }

  /** Where clients send. */
  public String ingestAddress() {
    return sidecar.ingestAddress();
  }

  /** As RFC 3339. */
  public String at(double second) {
    return Instant.ofEpochMilli(origin + Math.round(second * 1000)).toString();
  }

  /** Two parameters, one in each form that times have. */
  public String between(double fromSecond, double toSecond) {
    BigDecimal end = BigDecimal.valueOf(origin + Math.round(toSecond * 1000), 3);
    return "&start=" + at(fromSecond) + "&end=" + end.toPlainString();
  }

  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    sidecar.close();
  }
}
