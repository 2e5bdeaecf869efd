package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Main;
import io.hdrsidecar.testing.JavaProgram;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code log explore} as a process, over logs of others: what it answers over HTTP is, bucket by
 * bucket, what HdrHistogram reads from the same files.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LogExploreTest {
  private static final String V0 = "jHiccup-2.0.1.logV0";
  private static final String V1 = "jHiccup-2.0.6.logV1";
  private static final String V2 = "jHiccup-2.0.7S.logV2";
  private static final String V3 = "jHiccup-2.0.7S.logV3";
  private static final String TAGGED = "tagged-Log.logV2";
  private static final String YCSB = "ycsb.logV1";
  private static final Pattern READY =
      Pattern.compile("(\\d+) series from (\\S+) to .*(http://\\S+)");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final Path output;
  private final Path errors;
  private @Nullable Process started;
  private URI http = URI.create("http://127.0.0.1");

  LogExploreTest(@TempDir Path folder) {
    this.folder = folder;
    this.output = folder.resolve("output.txt");
    this.errors = folder.resolve("errors.txt");
  }

  private static Path fixture(String name) throws Exception {
    return Path.of(
        Objects.requireNonNull(LogExploreTest.class.getResource("/hlog/" + name + ".hlog"))
            .toURI());
  }

  private Process launch(Object... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("log", "explore", "--no-open"));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    Process process =
        JavaProgram.heedingSignals(JavaProgram.builder(List.of("-Xmx64m"), Main.class, all))
            .redirectErrorStream(false)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    started = process;
    return process;
  }

  /** Waits until it serves; returns how many series it found. */
  private int awaitReady() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Matcher ready = READY.matcher(Files.readString(output));
      if (ready.find()) {
        http = URI.create(ready.group(3));
        return Integer.parseInt(ready.group(1));
      }
      assertThat(System.nanoTime()).as(Files.readString(errors)).isLessThan(deadline);
      assertThat(Objects.requireNonNull(started).isAlive()).as(Files.readString(errors)).isTrue();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * What it complains of, but not that the class path of tests has SLF4J without a logger, nor that
   * the machine left an event loop without a processor.
   */
  private String errors() throws IOException {
    return Files.readAllLines(errors).stream()
        .filter(line -> !line.startsWith("SLF4J:") && !line.contains("BlockedThreadChecker"))
        .collect(Collectors.joining("\n"));
  }

  @AfterEach
  void kill() {
    if (started != null) {
      started.destroyForcibly();
    }
  }

  private HttpResponse<String> get(String pathAndQuery) throws Exception {
    return client.send(
        HttpRequest.newBuilder(http.resolve(pathAndQuery)).build(), BodyHandlers.ofString());
  }

  private JsonObject data(String pathAndQuery) throws Exception {
    HttpResponse<String> answer = get(pathAndQuery);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body()).getJsonObject("data");
  }

  private Histogram download(String selector, String more) throws Exception {
    String encoded = URLEncoder.encode(selector, StandardCharsets.UTF_8);
    HttpResponse<String> answer = get("/api/v1/histogram?format=v2&series=" + encoded + more);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    byte[] bytes = Base64.getDecoder().decode(answer.body());
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
  }

  private static String between(long startMillis, long endMillis) {
    return "&start="
        + Instant.ofEpochMilli(startMillis)
        + "&end="
        + Instant.ofEpochMilli(endMillis);
  }

  /** What HdrHistogram reads of a log: every interval with the tag; null for none. */
  private static List<Histogram> intervals(Path log, @Nullable String tag) throws IOException {
    List<Histogram> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next instanceof Histogram histogram && Objects.equals(next.getTag(), tag)) {
          intervals.add(histogram);
        }
      }
    }
    assertThat(intervals).isNotEmpty();
    return intervals;
  }

  /**
   * Counts by the highest value of the bucket; with equal digits and lowest values that is exact.
   */
  private static Map<Long, Long> buckets(List<Histogram> histograms) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (Histogram histogram : histograms) {
      histogram
          .recordedValues()
          .forEach(
              v ->
                  buckets.merge(
                      histogram.highestEquivalentValue(v.getValueIteratedTo()),
                      v.getCountAtValueIteratedTo(),
                      Long::sum));
    }
    return buckets;
  }

  /** Totals, and the middle third of the time, against HdrHistogram. */
  private void assertSame(String selector, List<Histogram> intervals) throws Exception {
    assertThat(buckets(List.of(download(selector, "")))).as(selector).isEqualTo(buckets(intervals));
    long first = intervals.get(0).getStartTimeStamp();
    long last = intervals.get(intervals.size() - 1).getEndTimeStamp();
    // In the middle of intervals, so that it does not matter how times were rounded.
    Histogram from = intervals.get(intervals.size() / 3);
    Histogram to = intervals.get(2 * intervals.size() / 3);
    long start = (from.getStartTimeStamp() + from.getEndTimeStamp()) / 2;
    long end = (to.getStartTimeStamp() + to.getEndTimeStamp()) / 2;
    List<Histogram> overlapping =
        intervals.stream()
            .filter(each -> each.getStartTimeStamp() < end && each.getEndTimeStamp() > start)
            .toList();
    assertThat(overlapping).hasSizeBetween(1, intervals.size() - 1);

    assertThat(buckets(List.of(download(selector, between(start, end)))))
        .as(selector)
        .isEqualTo(buckets(overlapping));
    assertThat(buckets(List.of(download(selector, between(first - 1000, last + 1000)))))
        .as(selector)
        .isEqualTo(buckets(intervals));
  }

  private static String series(String name, String file) {
    return name + "{file=\"" + file + ".hlog\"}";
  }

  private static String spelled(String file) {
    return file.replaceAll("[^a-zA-Z0-9_]", "_");
  }

  @Test
  void explore_ofManyLogs_answersWhatHdrHistogramReads() throws Exception {
    launch(fixture(V0), fixture(V1), fixture(V2), fixture(V3), fixture(TAGGED), fixture(YCSB));

    // One of each file, tag A of the tagged one, and four tags of a line each in the V3 log.
    assertThat(awaitReady()).isEqualTo(11);

    for (String file : List.of(V0, V1, V2, V3, YCSB)) {
      assertSame(series(spelled(file), file), intervals(fixture(file), null));
    }
    assertSame(series(spelled(TAGGED), TAGGED), intervals(fixture(TAGGED), null));
    assertSame(series("A", TAGGED), intervals(fixture(TAGGED), "A"));
    assertThat(errors()).isEmpty();
  }

  @Test
  void percentiles_ofSteps_addUpToTheTotal_andStatusTellsTheExtent() throws Exception {
    launch(fixture(V2));
    assertThat(awaitReady()).isEqualTo(1);
    List<Histogram> intervals = intervals(fixture(V2), null);
    long first = intervals.get(0).getStartTimeStamp();
    long last = intervals.get(intervals.size() - 1).getEndTimeStamp();

    JsonObject percentiles =
        data(
            "/api/v1/percentiles?series="
                + spelled(V2)
                + "&step=1s&percentiles=50,99"
                + between(first - 1000, last + 1000));

    long counted = 0;
    JsonArray steps = percentiles.getJsonArray("steps");
    for (int i = 0; i < steps.size(); i++) {
      counted += steps.getJsonObject(i).getLong("count");
    }
    assertThat(counted)
        .isEqualTo(intervals.stream().mapToLong(Histogram::getTotalCount).sum())
        .isEqualTo(48_761);
    JsonObject history = data("/api/v1/status").getJsonObject("history");
    assertThat(history.getString("source")).isEqualTo("files");
    assertThat(history.getBoolean("live")).isFalse();
    assertThat(Instant.parse(history.getString("start")).toEpochMilli())
        .isBetween(first - 1, first + 1);
    assertThat(Instant.parse(history.getString("end")).toEpochMilli())
        .isBetween(last - 1, last + 1);
  }

  @Test
  void explore_ofGzippedTornAndStandardInput_usesWhatIsGood() throws Exception {
    Path gzipped = folder.resolve("zipped.hlog.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzipped))) {
      Files.copy(fixture(V3), out);
    }
    byte[] whole = Files.readAllBytes(fixture(V2));
    Path torn = folder.resolve("torn.hlog");
    Files.write(torn, Arrays.copyOf(whole, whole.length - 40));
    Process process = launch(gzipped, torn, "-");
    try (OutputStream in = process.getOutputStream()) {
      Files.copy(fixture(TAGGED), in);
    }
    List<Histogram> intact = intervals(fixture(V2), null);

    // One of each file, the tag A, and four tags of the V3 log.
    assertThat(awaitReady()).isEqualTo(8);

    assertSame("zipped{file=\"zipped.hlog.gz\"}", intervals(fixture(V3), null));
    assertSame("torn{file=\"torn.hlog\"}", intact.subList(0, intact.size() - 1));
    assertSame("A{file=\"stdin\"}", intervals(fixture(TAGGED), "A"));
    assertThat(errors()).startsWith(torn + ":").hasLineCount(1);
  }

  @Test
  void interrupt_endsWithSuccess_andPostsAreRefused() throws Exception {
    Process process = launch(fixture(V2));
    awaitReady();

    HttpResponse<String> page = get("/");
    HttpResponse<String> post =
        client.send(
            HttpRequest.newBuilder(http.resolve("/api/v1/intervals?name=x"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build(),
            BodyHandlers.ofString());
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type").orElse("")).startsWith("text/html");
    assertThat(post.statusCode()).isIn(404, 405);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void explore_withRulesThatMakeNoSense_saysSoBeforeItReadsTheLogs() throws Exception {
    Path rules = Files.writeString(folder.resolve("sla.yaml"), "slas: [{name: a}]");
    Process process = launch("--sla-file", rules, "-"); // whose end never comes

    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(Files.readString(errors)).contains("--sla-file: ").contains("sla.yaml");
  }

  @Test
  void explore_askedByAnotherName_refuses() throws Exception {
    launch(fixture(V2));
    awaitReady();

    for (String name : List.of("localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080")) {
      assertThat(statusLine("GET /api/v1/series HTTP/1.1\r\nHost: " + name))
          .as(name)
          .contains("200");
    }
    for (String name :
        List.of("attacker.example", "attacker.example:80", "127.0.0.1.example", "notlocalhost")) {
      assertThat(statusLine("GET /api/v1/series HTTP/1.1\r\nHost: " + name))
          .as(name)
          .contains("403");
      assertThat(statusLine("GET / HTTP/1.1\r\nHost: " + name)).as(name).contains("403");
    }
    assertThat(statusLine("GET http://attacker.example/ HTTP/1.1\r\nHost: localhost"))
        .doesNotContain("200");
  }

  private String statusLine(String request) throws Exception {
    try (Socket socket = new Socket(http.getHost(), http.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((request + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return String.valueOf(
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine());
    }
  }

  @Test
  void explore_ofAMissingFile_saysSo() throws Exception {
    Process process = launch(folder.resolve("absent.hlog"));

    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(Files.readString(errors)).contains("absent.hlog: no such file");
    assertThat(output).isEmptyFile();
  }
}
