package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.evaluation.EvaluationScope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.PromqlEvaluation;
import io.hdrsidecar.sidecar.evaluation.StepRange;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.QueryTurn;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged queries give an answer, or a PromqlException or QueryException, at a bounded cost. */
final class PromqlFuzzIT {
  /** What one query over {@value #SERIES} series without values may allocate at most. */
  private static final long MOST_BYTES_TAKEN = 64L << 20;

  private static final int SERIES = 20;

  private static final List<String> GOOD =
      List.of(
          "histogram_quantile(0.99, sum by (le) (rate(checkout_seconds_bucket[5m])))",
          "topk(3, max by (route) (checkout_window_seconds{quantile=\"1\",window=~\"1m|5m\"}))",
          "sum(increase(checkout_seconds_sum[1h30m] offset -5m)) /"
              + " sum(increase(checkout_seconds_count[1h30m] @ 1700000000.5)) > bool 0.5e-3",
          "label_replace(histogram_count(rate({__name__=~\"check.*\"}[60])), \"a\", \"$1\","
              + " \"route\", `/(r\\d+).*`) or -histogram_fraction(0, 0x10, checkout_seconds) ^ 2 #"
              + " why",
          "max_over_time(checkout_window_seconds{quantile=\"1\"}[5m:1m] @ end()) unless on (route)"
              + " 5");

  private static final List<String> WORDS =
      List.of(
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          "@",
          "#",
          "\n",
          "\"",
          "'",
          "`",
          "\\",
          "+",
          "-",
          "*",
          "/",
          "%",
          "^",
          "==",
          "!=",
          "<=",
          "=~",
          "!~",
          " by ",
          " without ",
          " on(",
          " ignoring(",
          " group_left ",
          " offset ",
          " bool ",
          " and ",
          " or ",
          " atan2 ",
          "inf",
          "nan",
          "0x",
          "1e",
          "1e400",
          "5m",
          "1y1w1d",
          "9999999999999y",
          "start()",
          "end()",
          "sum(",
          "rate(",
          "((((((((",
          "[5m]",
          "{le=\"0.1\"}",
          "\u0000",
          "\ud83d\ude00",
          "__name__",
          "quantile(",
          "time()",
          "vector(1)",
          "{99}");

  private final Mutator mutator =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toList());
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @BeforeEach
  void register() throws Exception {
    store.past().keepIn(new History(1 << 20));
    for (int i = 0; i < SERIES; i++) {
      store.register(
          new SeriesDefinition(
              new SeriesKey("checkout", Labels.of("route", "/r" + i)),
              Unit.NANOSECONDS,
              "",
              BucketLayout.of(1, 2),
              1_000_000));
    }
  }

  @Test
  void evaluate_damagedQueries_giveAnAnswerOrATypedErrorAtABoundedCost() {
    Fuzz.run(
        "promql",
        (random, tally) -> {
          String query = damaged(random);
          long before = threads.getCurrentThreadAllocatedBytes();
          tally.add(isAnswered(query));
          assertThat(threads.getCurrentThreadAllocatedBytes() - before)
              .as(query)
              .isLessThan(MOST_BYTES_TAKEN);
        });
  }

  private boolean isAnswered(String query) {
    try {
      String text = PromqlParser.parse(query).toString();
      assertThat(PromqlParser.parse(text)).hasToString(text);
      long now = System.currentTimeMillis();
      PromqlEvaluation evaluation = PromqlEvaluation.of(query, scope(now));
      evaluation.at(now);
      evaluation.over(new StepRange(now - 60_000, now, 15_000));
      return true;
    } catch (PromqlException refused) {
      assertThat(refused.message()).matches("(?s)\\d+:\\d+: .+");
      return false;
    } catch (QueryException refused) {
      assertThat(refused.message()).isNotEmpty();
      return false;
    }
  }

  private EvaluationScope scope(long now) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    QueryTurn turn = QueryTurn.endless(() -> System.nanoTime() - until > 0);
    return new EvaluationScope(
        new QueryScope(store, 1000, QueryLimits.defaults(), HeapClaim.unbounded(), turn),
        new ExposedEdges(List.of(0.5, 0.99, 1.0), unit -> List.of(0.005, 0.05)),
        now,
        null);
  }

  private String damaged(SplittableRandom random) {
    byte[] good = GOOD.get(random.nextInt(GOOD.size())).getBytes(StandardCharsets.UTF_8);
    byte[] bad = mutator.damaged(good, random);
    return new String(
        bad, random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }
}
