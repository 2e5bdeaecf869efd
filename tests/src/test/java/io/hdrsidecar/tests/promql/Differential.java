package io.hdrsidecar.tests.promql;

import io.hdrsidecar.tests.promql.FoundRows.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Questions about a load, asked of a sidecar and of a Prometheus, and what came of them. */
final class Differential {
  private final RecordedLoad load;
  private final String sidecar;
  private final String prometheus;
  private final Map<String, Integer> verdicts = new TreeMap<>();
  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int asked;

  /** Both addresses end before {@code /api/v1}. */
  Differential(RecordedLoad load, String sidecar, String prometheus) {
    this.load = load;
    this.sidecar = sidecar;
    this.prometheus = prometheus;
  }

  /** Answers that were wrong, with the query, the moment, and what they must have been. */
  List<String> wrong() {
    return wrong;
  }

  /** The share of questions that were answered. */
  double answered() {
    return 1 - verdicts.getOrDefault("refused", 0) / (double) asked;
  }

  /** Asks both. */
  void ask(Question question, AskedMoments moments) throws Exception {
    String text = question.text();
    asked++;
    PromqlAnswer ours = answer(sidecar, text, moments);
    String about = text + " at " + moments;
    if (ours.isRefused()) {
      verdicts.merge("refused", 1, Integer::sum);
      refusals.merge(ours.error().replaceAll("^\\d+:\\d+: |\"[^\"]*\"", ""), 1, Integer::sum);
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

  /** How many were answered how, and why the others were not. */
  @Override
  public String toString() {
    StringBuilder lines = new StringBuilder();
    lines.append("queries=%d %s wrong=%d%n".formatted(asked, verdicts, wrong.size()));
    refusals.forEach((why, times) -> lines.append("  refused %d: %s%n".formatted(times, why)));
    return lines.toString();
  }
}
