package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.OtlpBuckets.base2;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.explicit;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.hdr;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.merge;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumMinMax;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.merge.Series;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the API says of buckets of OpenTelemetry, over HTTP. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForeignBucketsApiTest {
  private static final long[] BOUNDS = {1_000_000, 5_000_000};
  private static final long[] VALUES =
      new SplittableRandom(5).longs(1000, 100_000, 900_000_000).sorted().toArray();

  private final RunningServer server;

  ForeignBucketsApiTest() throws Exception {
    server = new RunningServer(1 << 20);
  }

  @BeforeEach
  void fill() throws Exception {
    server.store.past().keepIn(new History(1 << 20));
    merge(server.store, "calls", base2(3, VALUES), sumMinMax(VALUES));
    merge(server.store, "open", explicit(BOUNDS, VALUES), sumOnly(VALUES));
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private JsonObject json(String path) throws Exception {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  @Test
  void histogram_ofScale3_statesABoundThatHolds() throws Exception {
    JsonObject answer = json("/api/v1/histogram?series=calls");

    JsonObject data = answer.getJsonObject("data");
    assertThat(data.getDouble("bound")).isBetween(0.08, 0.0906);
    assertThat(data.getLong("count")).isEqualTo(1000);
    assertThat(data.getLong("sum")).isEqualTo(Arrays.stream(VALUES).sum());
    assertThat(data.getLong("min")).isEqualTo(VALUES[0]);
    assertThat(data.getLong("max")).isEqualTo(VALUES[999]);
    for (Object each : data.getJsonArray("percentiles")) {
      JsonObject percentile = (JsonObject) each;
      double asked = percentile.getDouble("percentile");
      long truth = VALUES[(int) Math.max(0, Math.ceil(asked * 10 - 1e-9) - 1)];
      assertThat(truth).isBetween(percentile.getLong("lowest"), percentile.getLong("value"));
      assertThat(percentile.getLong("value"))
          .isLessThanOrEqualTo((long) Math.ceil(truth * (1 + data.getDouble("bound"))));
    }
    assertThat(answer.getJsonArray("warnings").encode()).contains("9.06 % above the value");
  }

  @Test
  void histogram_ofABucketWithoutBound_saysSo() throws Exception {
    JsonObject answer = json("/api/v1/histogram?series=open&percentiles=0,99");

    JsonObject data = answer.getJsonObject("data");
    assertThat(data.getValue("bound")).isNull();
    assertThat(data.getBoolean("maxIsExact")).isFalse();
    assertThat(data.getJsonArray("percentiles").getJsonObject(1).getLong("lowest"))
        .isEqualTo(5_000_001);
    assertThat(answer.getJsonArray("warnings").encode()).contains("without an upper bound");
  }

  @Test
  void series_listsTheirLayouts() throws Exception {
    JsonArray all = json("/api/v1/series").getJsonArray("data");

    assertThat(all.encode())
        .contains("{\"buckets\":\"base2:scale=3,per=1000000000\"}")
        .contains("{\"buckets\":\"explicit:1000000,5000000\"}");
  }

  @Test
  void download_isRecordedAtTheUpperEdges_orRefused() throws Exception {
    HttpResponse<String> log = server.get("/api/v1/histogram?series=calls&format=hlog");
    assertThat(log.statusCode()).isEqualTo(200);
    assertThat(log.body()).contains("#[Hdr-Sidecar-Warning: buckets are kept as they came");

    HttpResponse<String> open = server.get("/api/v1/histogram?series=open&format=v2");
    assertThat(open.statusCode()).isEqualTo(400);
    assertThat(open.body()).contains("ask for json");
  }

  @Test
  void correction_isRefused() throws Exception {
    HttpResponse<String> answer = server.get("/api/v1/histogram?series=calls&expectedInterval=1ms");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("too coarse");
  }

  @Test
  void pastOfTheSame_hasTheSameCounts() throws Exception {
    JsonObject answer = json("/api/v1/histogram?series=calls&start=-1m");

    assertThat(answer.getJsonObject("data").getLong("count")).isEqualTo(1000);
    assertThat(answer.getJsonArray("warnings").encode()).contains("9.06 % above the value");
  }

  @Test
  void promql_quantile_isTheUpperEdge_andInfiniteWithoutABound() throws Exception {
    String query = "/prometheus/api/v1/query?query=histogram_quantile(0.99,";
    String answered =
        json(query + "calls_seconds)")
            .getJsonObject("data")
            .getJsonArray("result")
            .getJsonObject(0)
            .getJsonArray("value")
            .getString(1);
    double truth = VALUES[989] / 1e9;

    assertThat(Double.parseDouble(answered)).isBetween(truth, truth * 1.0906);
    assertThat(json(query + "open_seconds)").encode()).contains("\"+Inf\"");
  }

  /** The second time its steps come from the cache, which has those that are some seconds old. */
  @Test
  void promql_quantileOverARange_saysTheBound_alsoOfWhatIsCached() throws Exception {
    Series calls = merge(server.store, "calls", base2(3, VALUES), sumMinMax(VALUES));
    long now = System.currentTimeMillis();
    server.store.merge(calls, base2(3, VALUES), now - 41_000, now - 40_000, sumMinMax(VALUES));
    String range =
        "/prometheus/api/v1/query_range?step=10&start=%d&end=%d&query="
            .formatted(now / 1000 - 120, now / 1000 - 15);

    for (int i = 0; i < 2; i++) {
      String answer =
          json(range + "histogram_quantile(0.99,increase(calls_seconds[20s]))").encode();
      assertThat(answer).contains("9.06 % above the value");
    }
    assertThat(json(range + "histogram_count(increase(calls_seconds[20s]))").encode())
        .contains("\"1000\"")
        .doesNotContain("above the value");
  }

  @Test
  void promql_gaugesOfWindows_sayTheBound() throws Exception {
    String query = "/prometheus/api/v1/query?query=";

    assertThat(json(query + "calls_window_seconds").getJsonArray("warnings").encode())
        .contains("9.06 % above the value");
    assertThat(json(query + "open_window_seconds").getJsonArray("warnings").encode())
        .contains("without an upper bound");
  }

  @Test
  void overview_hasTheBoundOfEachSeries() throws Exception {
    merge(server.store, "ours", hdr(VALUES), sumMinMax(VALUES));
    for (String asked : new String[] {"?window=total", "?start=-1m"}) {
      JsonObject answer = json("/api/v1/overview" + asked);
      JsonArray rows = answer.getJsonObject("data").getJsonArray("series");

      JsonObject calls = rows.getJsonObject(0);
      assertThat(calls.getString("name")).isEqualTo("calls");
      assertThat(calls.getDouble("bound")).isBetween(0.08, 0.0906);
      assertThat(calls.getLong("p99"))
          .isBetween(VALUES[989], (long) Math.ceil(VALUES[989] * (1 + calls.getDouble("bound"))));
      assertThat(rows.getJsonObject(1).containsKey("bound")).isTrue();
      assertThat(rows.getJsonObject(1).getValue("bound")).isNull();
      assertThat(rows.getJsonObject(2).getString("name")).isEqualTo("ours");
      assertThat(rows.getJsonObject(2).containsKey("bound")).isFalse();
    }
  }

  @Test
  void page_showsNoBoundAsInfinity() throws Exception {
    String page = server.get("/metrics").body();

    assertThat(page).contains("open_seconds_count{route=\"/pay\"} 1000");
    assertThat(page.lines().filter(line -> line.startsWith("open_window_seconds{")))
        .anyMatch(line -> line.contains("quantile=\"0.99\"") && line.endsWith(" +Inf"));
  }
}
