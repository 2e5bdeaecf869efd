package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.promql.FoundRows.Expected;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random queries over one load, asked of a sidecar and of a real Prometheus that know the same, at
 * one moment or at steps. Counts, sums and means must be equal; percentiles must lie in the bucket
 * in which Prometheus has them, and within 0.1 % of the value in the sorted list; or the sidecar
 * refuses the query. {@code -Dhdr.promql.queries=10000} and {@code -Dhdr.promql.seed=N}.
 */
@RequiresDocker
@RequiresPrograms("prometheus-write")
final class DifferentialIT {
  private static final long SEED = Long.getLong("hdr.promql.seed", System.nanoTime() & 0xffffff);
  private static final int QUERIES = Integer.getInteger("hdr.promql.queries", 400);

  /** Of the queries that are asked here, at least so many must be answered, not refused. */
  private static final double LEAST_ANSWERED = 0.6;

  @RegisterExtension final Processes processes = new Processes();

  private final RecordedLoad load = RecordedLoad.ended(SEED);
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Integer> verdicts = new TreeMap<>();
  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private String sidecar = "";
  private String prometheus = "";

  @Test
  void randomQueries_askedOfBoth_areAnsweredExactlyOrWithinOrRefused() throws Exception {
    SidecarProcess asked = processes.sidecar();
    load.send(asked);
    try (PrometheusServer oracle = PrometheusServer.scrapingJobs("", "groups: []")) {
      load.write(oracle);
      prometheus = oracle.url();
      sidecar = "http://127.0.0.1:" + asked.httpPort() + "/prometheus";
      RandomQuestions questions = new RandomQuestions(load, SEED);
      for (int i = 0; i < QUERIES; i++) {
        Question question = questions.next();
        ask(question, moments(question, questions));
      }
    }
    report();

    assertThat(wrong).as("seed %d", SEED).isEmpty();
    assertThat(QUERIES - verdicts.getOrDefault("refused", 0))
        .as("answered")
        .isGreaterThan((int) (QUERIES * LEAST_ANSWERED));
  }

  /** What was counted since the start of a series is known now: it has started by being sent. */
  private AskedMoments moments(Question question, RandomQuestions questions) {
    if (question.window().kind() == Window.Kind.TOTAL) {
      return new AskedMoments(System.currentTimeMillis(), 1, 1000);
    }
    long first = questions.moment();
    return random.nextInt(4) > 0
        ? new AskedMoments(first, 1, 1000)
        : new AskedMoments(first, 2 + random.nextInt(8), random.nextInt(1, 8) * 500L);
  }

  private void ask(Question question, AskedMoments moments) throws Exception {
    String text = question.text();
    PromqlAnswer ours = answer(sidecar, text, moments);
    String about = text + " at " + moments;
    if (ours.isRefused()) {
      verdicts.merge("refused", 1, Integer::sum);
      refusals.merge(
          ours.error().replaceAll("^\\d+:\\d+: ", "").replaceAll("\\s.*", " …"), 1, Integer::sum);
      return;
    }
    if (!ours.isAnswered()) {
      wrong.add(about + ": status " + ours.status() + ", " + ours.error());
      return;
    }
    PromqlAnswer theirs = answer(prometheus, question.oracle(load, moments), moments);
    if (!theirs.isAnswered()) {
      throw new AssertionError(
          "Prometheus refuses " + question.oracle(load, moments) + ": " + theirs.error());
    }
    int before = wrong.size();
    for (long moment : moments.all()) {
      compare(about, question, moment, ours, theirs);
    }
    if (wrong.size() == before) {
      verdicts.merge(question.figure().isExact() ? "equal" : "within", 1, Integer::sum);
    }
  }

  private static PromqlAnswer answer(String address, String query, AskedMoments moments)
      throws Exception {
    return moments.isOne()
        ? PromqlAnswer.at(address, query, moments.firstMillis())
        : PromqlAnswer.over(address, query, moments);
  }

  private void compare(
      String about, Question question, long moment, PromqlAnswer ours, PromqlAnswer theirs) {
    Map<Map<String, String>, Double> prometheusSays =
        theirs.numbers().getOrDefault(moment, Map.of());
    List<ExpectedRow> byList = new ArrayList<>();
    List<ExpectedRow> byPrometheus = new ArrayList<>();
    question
        .values(load, moment)
        .forEach(
            (labels, sorted) -> {
              Interval truth = question.figure().of(sorted, question.window().divisor());
              Double said = prometheusSays.get(labels);
              Interval around = question.figure().around(said == null ? Double.NaN : said, sorted);
              if (!truth.meets(around) && !truth.isNaN()) {
                throw new AssertionError(
                    "the list says %s, Prometheus %s of %s in %s"
                        .formatted(truth, said, labels, about));
              }
              byList.add(new ExpectedRow(labels, truth, true));
              byPrometheus.add(new ExpectedRow(labels, around, true));
            });
    Map<Map<String, String>, Double> found = ours.numbers().getOrDefault(moment, Map.of());
    List<String> differences = new ArrayList<>();
    differences.addAll(
        FoundRows.of(found, Expected.of(byList, question.outer()), "the sorted list"));
    differences.addAll(
        FoundRows.of(found, Expected.of(byPrometheus, question.outer()), "Prometheus"));
    if (!differences.isEmpty()) {
      wrong.add(about + "\n  at " + moment + ": " + String.join("\n  ", differences));
    }
  }

  private void report() throws Exception {
    StringBuilder lines = new StringBuilder();
    lines.append(
        "promql: seed=%d queries=%d %s wrong=%d%n"
            .formatted(SEED, QUERIES, verdicts, wrong.size()));
    refusals.forEach((why, times) -> lines.append("  refused %d: %s%n".formatted(times, why)));
    System.out.print(lines);
    wrong.forEach(each -> lines.append(each).append('\n'));
    Files.writeString(
        Files.createDirectories(Path.of("target")).resolve("promql-differential.txt"), lines);
  }
}
