package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Damaged logs of jHiccup, YCSB and HdrHistogram's own tests, posted: every line is merged or
 * refused with a reason, and the count is that of the merged ones by HdrHistogram's decoder.
 */
final class IntervalLogsFuzzIT {
  private static final Path LOGS = Path.of("../client-lib/format/src/test/resources/hlog");
  private static final int MOST_LINES = 20;
  private static final List<String> WORDS =
      List.of(
          ",",
          " ",
          "\n",
          "\r",
          "Tag=",
          "Tag=a,b",
          "HISTFAAAA",
          "=",
          "1e308",
          "-1",
          "NaN",
          "0x1",
          "#[StartTime: 1.0 ",
          "#[BaseTime: 9e99",
          "\"StartTimestamp\"",
          "9999999999999",
          "\u0000");

  private final Mutator mutator =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toList());
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<List<String>> logs = new ArrayList<>();
  private final LogCapture log = new LogCapture();
  private Sidecar sidecar = start();

  private static Sidecar start() {
    try {
      return Sidecar.start(SmallSidecar.config());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void readLogs() throws Exception {
    try (Stream<Path> files = Files.list(LOGS)) {
      for (Path file : files.filter(f -> !f.endsWith("README.md")).sorted().toList()) {
        logs.add(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
      }
    }
  }

  @AfterEach
  void stop() {
    sidecar.close();
    log.close();
  }

  @Test
  void post_damagedLogs_countsWhatIsNotRefused() {
    Fuzz.run("interval logs", Fuzz.configuredSeconds("interval logs") / 2, this::feed);
  }

  private void feed(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    byte[] damaged = mutator.damaged(someLines(random), random);
    long before = counted();
    HttpResponse<String> answer = post(damaged);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 400);
    JsonObject data = new JsonObject(answer.body()).getJsonObject("data");
    assertThat(data.getLong("refused")).isLessThanOrEqualTo(100); // else not all are named
    assertThat(counted() - before)
        .as("values of the lines not refused: %s", answer.body())
        .isEqualTo(valuesOf(damaged, refused(data.getJsonArray("refusedLines"))));
    assertThat(log.errors()).isEmpty();
    tally.add(data.getLong("merged") > 0);
  }

  private byte[] someLines(SplittableRandom random) {
    List<String> lines = logs.get(random.nextInt(logs.size()));
    int from = random.nextInt(Math.max(1, lines.size()));
    int to = Math.min(lines.size(), from + random.nextInt(1, MOST_LINES));
    String text = String.join("\n", lines.subList(from, to)) + (random.nextBoolean() ? "\n" : "");
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Set<Integer> refused(JsonArray lines) {
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < lines.size(); i++) {
      numbers.add(lines.getJsonObject(i).getInteger("line"));
    }
    return numbers;
  }

  private static long valuesOf(byte[] log, Set<Integer> refused) throws DataFormatException {
    String[] lines = new String(log, StandardCharsets.ISO_8859_1).split("\r\n|\r|\n", -1);
    long values = 0;
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].replaceFirst("^[ ,]+", "");
      boolean isRemark =
          line.isEmpty() || line.startsWith("#") || line.startsWith("\"StartTimestamp\"");
      if (!isRemark && !refused.contains(i + 1)) {
        values += valuesOf(List.of(line.split("[ ,]+", -1)));
      }
    }
    return values;
  }

  /** Tag or none, start, length, maximum, histogram. */
  private static long valuesOf(List<String> fields) throws DataFormatException {
    String histogram = fields.get(fields.get(0).contains("=") ? 4 : 3);
    ByteBuffer payload = ByteBuffer.wrap(Base64.getDecoder().decode(histogram));
    return Histogram.decodeFromCompressedByteBuffer(payload, 0).getTotalCount();
  }

  private HttpResponse<String> post(byte[] body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(sidecar.httpAddress().resolve("/api/v1/intervals?name=uploaded"))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofByteArray(body))
            .build(),
        BodyHandlers.ofString());
  }

  private long counted() throws Exception {
    String selector = URLEncoder.encode("uploaded", StandardCharsets.UTF_8);
    String path = "/api/v1/histogram?window=total&series=" + selector;
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(sidecar.httpAddress().resolve(path)).build(),
            BodyHandlers.ofString());
    return answer.statusCode() == 404
        ? 0
        : new JsonObject(answer.body()).getJsonObject("data").getLong("count");
  }
}
