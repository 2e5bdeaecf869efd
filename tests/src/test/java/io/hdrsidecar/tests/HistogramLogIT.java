package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Interval logs of other programs, posted as curl does, give the figures that HdrHistogram's own
 * log processor finds in them.
 */
final class HistogramLogIT {
  private static final Path LOGS = Path.of("../client-lib/format/src/test/resources/hlog");

  @RegisterExtension final Processes processes = new Processes();

  private SidecarProcess sidecar;

  @BeforeEach
  void startSidecar() throws Exception {
    sidecar = processes.sidecar();
  }

  @ParameterizedTest
  @CsvSource({
    "jHiccup-2.0.7S.logV2.hlog, 62, 48761, 344063, 1753219071, 1803550719",
    "jHiccup-2.0.7S.logV3.hlog, 62, 48761, 344063, 1753219071, 1803550719",
  })
  void postIntervals_ofJHiccup_givesItsFigures(
      String file, int lines, long count, long p50, long p999, long max) throws Exception {
    JsonObject answer = sidecar.post("/api/v1/intervals?name=hiccup", LOGS.resolve(file));
    assertThat(answer.getInteger("merged")).isEqualTo(lines);

    JsonObject total = sidecar.total("hiccup", "&percentiles=50,99.9");
    assertThat(total.getLong("count")).isEqualTo(count);
    assertThat(percentiles(total)).containsExactly(p50, p999);
    assertThat(total.getLong("max")).isEqualTo(max);
  }

  @Test
  void postIntervals_ofYcsb_givesItsFigures() throws Exception {
    sidecar.post("/api/v1/intervals?name=ycsb", LOGS.resolve("ycsb.logV1.hlog"));

    JsonObject total = sidecar.total("ycsb", "&percentiles=99.9");
    assertThat(total.getLong("count")).isEqualTo(300_056);
    assertThat(percentiles(total)).containsExactly(1_214_463L);
    assertThat(total.getLong("max")).isEqualTo(1_546_239);
  }

  @Test
  void postIntervals_withTags_givesASeriesForEach() throws Exception {
    sidecar.post("/api/v1/intervals?name=tagged", LOGS.resolve("tagged-Log.logV2.hlog"));

    assertThat(sidecar.total("tagged{tag=\"A\"}", "").getLong("count")).isEqualTo(16_145);
    assertThat(sidecar.total("tagged{tag=\"\"}", "").getLong("count")).isEqualTo(16_145);
  }

  private static List<Long> percentiles(JsonObject total) {
    return total.getJsonArray("percentiles").stream()
        .map(each -> ((JsonObject) each).getLong("value"))
        .toList();
  }
}
