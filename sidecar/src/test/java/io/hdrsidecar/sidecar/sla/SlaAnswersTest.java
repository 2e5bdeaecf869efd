package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits to what one query may look at. */
class SlaAnswersTest {
  private final Clock clock = Clock.systemUTC();
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock);
  private final SlaAnswers answers = new SlaAnswers(evaluator, clock);
  private final QueryScope scope = new QueryScope(store, 1, QueryLimits.defaults());

  @BeforeEach
  void record() throws Exception {
    store.past().keepIn(new History(1 << 20));
    Recorded recorded = new Recorded(store);
    recorded.merge("x", "route", "a", clock.millis(), 1_000_000, 3_000_000);
    recorded.merge("x", "route", "b", clock.millis(), 1_000_000);
    evaluator.use(
        SlaFile.parse(
            "slas: [{name: both, selector: x, limits: {100%: 2ms}},"
                + " {name: one, selector: 'x{route=\"a\"}', limits: {100%: 2ms}}]",
            "test", null));
  }

  private JsonArray slas(Map<String, String> query) throws Exception {
    return new JsonObject(
            answers.answer(new Parameters(query.entrySet()), scope, clock.instant()).body())
        .getJsonObject("data")
        .getJsonArray("slas");
  }

  @Test
  void answer_oneRuleAboutTooManySeries_saysSoThereAndAnswersTheOthers() throws Exception {
    JsonArray slas = slas(Map.of());

    JsonObject both = slas.getJsonObject(0);
    JsonArray total = both.getJsonObject("total").getJsonArray("rows");
    assertThat(total.getJsonObject(0).getInteger("events")).isEqualTo(3);
    assertThat(both.getJsonObject("past").getString("trouble"))
        .isEqualTo("the selector matches 2 series; at most 1 are looked at (query.max-series)");
    assertThat(both.getJsonObject("past").getJsonArray("rows")).isEmpty();
    JsonObject past = slas.getJsonObject(1).getJsonObject("past");
    assertThat(past.getString("trouble")).isNull();
    assertThat(past.getJsonArray("rows").getJsonObject(0).getInteger("events")).isEqualTo(2);
  }

  @Test
  void answer_selectorOfTheQueryMatchesTooMany_isRefused() {
    assertThatThrownBy(() -> slas(Map.of("selector", "x", "limit", "100%:2ms")))
        .isInstanceOfSatisfying(
            QueryException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(QueryException.Kind.BAD_PARAMETER);
              assertThat(e.message())
                  .isEqualTo(
                      "selector: matches 2 series; at most 1 are looked at (query.max-series)");
            });
  }
}
