package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What answers say of series that are young, and of those that are quiet. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class OverviewTimesApiTest {
  private static final String OVERVIEW = "/api/v1/overview";

  private final UploadedSidecar sidecar = new UploadedSidecar(Map.of());

  OverviewTimesApiTest() throws Exception {}

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private static List<Interval> intervals(double from, int seconds, int valuesEach) {
    SplittableRandom random = new SplittableRandom(5);
    return IntStream.range(0, seconds)
        .mapToObj(
            i ->
                new Interval(
                    from + i, from + i + 1, random.longs(valuesEach, 1_000, 50_000_000).toArray()))
        .toList();
  }

  private double now() {
    return (System.currentTimeMillis() - sidecar.origin) / 1000.0;
  }

  private JsonObject onlyRow(String parameters) throws Exception {
    return sidecar.data(OVERVIEW + parameters).getJsonArray("series").getJsonObject(0);
  }

  /** As HdrHistogram has it: the highest value of its bucket. */
  private static long percentile(long[] sorted, double percentile) {
    int rank = Math.max(1, (int) Math.ceil(percentile * sorted.length / 100));
    return histogram().highestEquivalentValue(sorted[rank - 1]);
  }

  @Test
  void rate_ofASeriesYoungerThanTheWindow_isThatSinceItsFirstValue() throws Exception {
    long before = System.nanoTime();
    sidecar.upload("name=calls&unit=ns", intervals(now() - 11, 10, 200));

    for (String window : List.of("?window=1m", "?window=total")) {
      JsonObject row = onlyRow(window);

      double elapsed = (System.nanoTime() - before) / 1e9;
      assertThat(row.getLong("count")).isEqualTo(2000);
      assertThat(row.getDouble("ratePerSecond")).isBetween(2000 / (10 + elapsed), 200.5);
    }
  }

  @Test
  void rate_ofASeriesOlderThanTheWindow_isThatOfTheWindow() throws Exception {
    sidecar.upload("name=calls&unit=ns", intervals(0, 30, 1)); // ten minutes ago
    sidecar.upload("name=calls&unit=ns", intervals(now() - 3, 2, 300));

    assertThat(onlyRow("").getDouble("ratePerSecond")).isEqualTo(600 / 60.0);
  }

  @Test
  void last_ofAQuietSeries_hasTheFiguresOfItsLastMinute() throws Exception {
    List<Interval> all = intervals(0, 90, 40);
    sidecar.upload("name=calls&unit=ns", all);

    JsonObject row = onlyRow("");

    long[] sorted = all.subList(30, 90).stream().flatMapToLong(Interval::values).sorted().toArray();
    assertThat(row.getLong("count")).isZero();
    assertThat(row.getJsonObject("last"))
        .isEqualTo(
            new JsonObject()
                .put("start", sidecar.at(30))
                .put("end", sidecar.at(90))
                .put("count", 2400)
                .put("ratePerSecond", 40.0)
                .put("p50", percentile(sorted, 50))
                .put("p99", percentile(sorted, 99))
                .put("p999", percentile(sorted, 99.9))
                .put("max", percentile(sorted, 100)));
    assertThat(row.getJsonObject("kept"))
        .isEqualTo(new JsonObject().put("start", sidecar.at(0)).put("end", sidecar.at(90)));
  }

  @Test
  void last_ofASeriesWithValuesInTheWindow_isAbsent() throws Exception {
    sidecar.upload("name=calls&unit=ns", intervals(now() - 3, 2, 10));

    assertThat(onlyRow("").containsKey("last")).isFalse();
  }

  @Test
  void last_withoutAHistory_isNull() throws Exception {
    try (UploadedSidecar forgetful = new UploadedSidecar(Map.of("--history-max-memory", "0B"))) {
      forgetful.upload("name=calls&unit=ns", intervals(0, 3, 1));

      JsonObject row = forgetful.data(OVERVIEW).getJsonArray("series").getJsonObject(0);

      assertThat(row.getMap()).containsEntry("last", null).containsEntry("kept", null);
    }
  }

  @Test
  void range_withATimeInWhichNothingWasRecorded_isNoReasonToWarn() throws Exception {
    double begun = now(); // a moment after the sidecar has
    sidecar.upload("name=calls&unit=ns", intervals(begun + 100, 3, 7));
    String histogram = "/api/v1/histogram?series=calls";

    JsonObject idleBefore = sidecar.envelope(histogram + sidecar.between(begun, begun + 200));
    JsonObject idle = sidecar.envelope(histogram + sidecar.between(begun, begun + 50));
    JsonObject beforeTheSidecar = sidecar.envelope(histogram + sidecar.between(0, begun + 200));

    assertThat(idleBefore.getJsonObject("data").getLong("count")).isEqualTo(21);
    assertThat(idleBefore.containsKey("warnings")).as("%s", idleBefore).isFalse();
    assertThat(idle.getJsonObject("data").getLong("count")).isZero();
    assertThat(idle.containsKey("warnings")).as("%s", idle).isFalse();
    assertThat(beforeTheSidecar.getJsonArray("warnings").getString(0))
        .startsWith("nothing is kept from before " + sidecar.at(begun + 100));
  }

  @Test
  void range_thatCutsALittleOfManyIntervals_isNoReasonToWarn() throws Exception {
    sidecar.upload("name=calls&unit=ns", intervals(0, 60, 2));

    JsonObject answer =
        sidecar.envelope("/api/v1/histogram?series=calls" + sidecar.between(0.5, 59.5));

    assertThat(answer.containsKey("warnings")).as("%s", answer).isFalse();
    assertThat(answer.getJsonObject("data").getJsonObject("covered").getString("start"))
        .isEqualTo(sidecar.at(0));
    assertThat(answer.getJsonObject("data").getLong("count")).isEqualTo(120);
  }
}
