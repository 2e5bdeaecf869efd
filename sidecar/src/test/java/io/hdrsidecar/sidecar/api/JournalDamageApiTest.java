package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.JournalText;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journal of which a line can no longer be read: every form of an answer says so. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JournalDamageApiTest {
  private static final int INTERVALS = 300;
  private static final String UNREADABLE = "1 of " + INTERVALS + " intervals could not be read";

  @TempDir Path folder = Path.of("set by JUnit");

  private UploadedSidecar start() throws Exception {
    return new UploadedSidecar(
        Map.of(
            "--journal-directory", folder.toString(),
            "--journal-rotate-size", "64KiB",
            "--journal-flush", "5ms",
            "--history-max-memory", "0B"));
  }

  private static List<Interval> seconds() {
    SplittableRandom random = new SplittableRandom(1);
    return IntStream.range(0, INTERVALS)
        .mapToObj(i -> new Interval(i, i + 1, random.longs(200, 1_000, 1_000_000_000).toArray()))
        .toList();
  }

  /** In the middle of the first histogram of the oldest file. */
  private void damage() throws IOException {
    Path oldest = JournalText.files(folder).get(0);
    List<String> lines = new ArrayList<>(Files.readAllLines(oldest, StandardCharsets.ISO_8859_1));
    int first =
        IntStream.range(0, lines.size())
            .filter(i -> lines.get(i).startsWith("Tag=calls,"))
            .findFirst()
            .orElseThrow();
    char[] line = lines.get(first).toCharArray();
    int middle = line.length - 100;
    line[middle] = line[middle] == 'A' ? 'B' : 'A';
    lines.set(first, String.valueOf(line));
    Files.writeString(oldest, String.join("\n", lines) + "\n", StandardCharsets.ISO_8859_1);
  }

  private static List<String> warnings(HttpResponse<String> answer) {
    return answer.headers().allValues("Hdr-Sidecar-Warning");
  }

  @Test
  void histogram_ofDamagedFile_saysInEveryFormatThatSomethingIsMissing() throws Exception {
    try (UploadedSidecar sidecar = start()) {
      sidecar.upload("name=calls&unit=ns", seconds());
      String question =
          "/api/v1/histogram?series=calls" + sidecar.between(0, INTERVALS) + "&format=";
      for (String format : List.of("hgrm", "csv", "hlog", "v2")) {
        assertThat(warnings(sidecar.get(question + format))).as(format).isEmpty();
      }

      damage();

      assertThat(sidecar.envelope(question + "json").getJsonArray("warnings").encode())
          .contains(UNREADABLE);
      for (String format : List.of("hgrm", "csv", "hlog", "v2")) {
        HttpResponse<String> answer = sidecar.get(question + format);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(warnings(answer)).as(format).singleElement().asString().startsWith(UNREADABLE);
      }
      assertThat(sidecar.get(question + "hlog").body())
          .contains("#[Hdr-Sidecar-Warning: " + UNREADABLE);
    }
  }

  @Test
  void sla_ofDamagedFile_isUnknownAndSaysWhy() throws Exception {
    try (UploadedSidecar sidecar = start()) {
      sidecar.upload("name=calls&unit=ns", seconds());
      String question =
          "/api/v1/sla?selector=calls&limit=" + encoded("100%:10s") + sidecar.between(0, INTERVALS);
      JsonObject before = past(sidecar, question);
      assertThat(before.getJsonArray("rows").getJsonObject(0).getBoolean("met")).isTrue();
      assertThat(before.containsKey("warnings")).isFalse();

      damage();

      JsonObject past = past(sidecar, question);
      JsonObject row = past.getJsonArray("rows").getJsonObject(0);
      assertThat(row.getLong("events")).isEqualTo((INTERVALS - 1) * 200L);
      assertThat(row.containsKey("met")).isTrue();
      assertThat(row.getBoolean("met")).as("met, by what could be read").isNull();
      assertThat(past.getJsonArray("warnings").encode()).contains(UNREADABLE);
    }
  }

  private static JsonObject past(UploadedSidecar sidecar, String question) throws Exception {
    return sidecar.data(question).getJsonArray("slas").getJsonObject(0).getJsonObject("past");
  }
}
