package io.hdrsidecar.tests.promql;

import io.hdrsidecar.tests.promql.FoundRows.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Queries about a load, asked of a sidecar and of a Prometheus, and what came of them. */
final class Differential {
  private final String sidecar;
  private final String prometheus;
  private final Map<String, Integer> verdicts = new TreeMap<>();
  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int asked;

  /** Both addresses end before {@code /api/v1}. */
  Differential(String sidecar, String prometheus) {
    this.sidecar = sidecar;
    this.prometheus = prometheus;
  }

  /** Answers that were wrong, with the query, the moment, and what they must have been. */
  List<String> wrong() {
    return wrong;
  }

  /** The share of queries that were answered. */
  double answered() {
    return 1 - verdicts.getOrDefault("refused", 0) / (double) asked;
  }

  /**
   * Asks both.
   *
   * @param load what both know
   */
  void ask(PromqlQuery question, AskedMoments moments, RecordedLoad load) throws Exception {
    PromqlAnswer ours = ofSidecar(question, moments);
    if (ours.isAnswered() && isMixed(question, moments, load)) {
      wrong.add(question.text() + ": adds up what must not be, and is answered");
      return;
    }
    if (!ours.isAnswered()) {
      return;
    }
    String oracle = question.oracle(load, moments);
    PromqlAnswer theirs = answer(prometheus, oracle, moments);
    if (!theirs.isAnswered()) {
      throw new AssertionError("Prometheus refuses " + oracle + ": " + theirs.error());
    }
    int before = wrong.size();
    for (long moment : moments.all()) {
      Map<Map<String, String>, Double> said = theirs.numbers().getOrDefault(moment, Map.of());
      List<ExpectedRow> byList = new ArrayList<>();
      List<ExpectedRow> byPrometheus = new ArrayList<>();
      question
          .values(load, moment)
          .forEach(
              (labels, sorted) -> {
                Interval truth = question.figure().of(sorted, question.window().divisor());
                double theirsIs = said.getOrDefault(labels, Double.NaN);
                Interval around = question.figure().around(theirsIs, sorted);
                if (!truth.meets(around) && !truth.isNaN()) {
                  throw new AssertionError(
                      "the list says %s, Prometheus %s of %s in %s at %d"
                          .formatted(truth, theirsIs, labels, oracle, moment));
                }
                byList.add(new ExpectedRow(labels, truth, true));
                byPrometheus.add(new ExpectedRow(labels, around, true));
              });
      compare(question, moment, ours, byList, "the sorted list");
      compare(question, moment, ours, byPrometheus, "Prometheus");
    }
    count(question, before);
  }

  /**
   * Asks the sidecar alone. Where nothing was counted there may be a 0, or nothing.
   *
   * @param known what it knows by now
   */
  void askAlone(PromqlQuery question, AskedMoments moments, RecordedLoad known) throws Exception {
    PromqlAnswer ours = ofSidecar(question, moments);
    if (ours.isAnswered() && isMixed(question, moments, known)) {
      wrong.add(question.text() + ": adds up what must not be, and is answered");
      return;
    }
    if (!ours.isAnswered()) {
      return;
    }
    int before = wrong.size();
    for (long moment : moments.all()) {
      List<ExpectedRow> byList = new ArrayList<>();
      question
          .values(known, moment)
          .forEach(
              (labels, sorted) -> {
                Interval truth = question.figure().of(sorted, question.window().divisor());
                byList.add(new ExpectedRow(labels, truth, sorted.length > 0));
              });
      compare(question, moment, ours, byList, "the sorted list");
    }
    count(question, before);
  }

  private static boolean isMixed(PromqlQuery question, AskedMoments moments, RecordedLoad load) {
    return moments.all().stream().anyMatch(moment -> question.isMixed(load, moment));
  }

  private PromqlAnswer ofSidecar(PromqlQuery question, AskedMoments moments) throws Exception {
    asked++;
    PromqlAnswer ours = answer(sidecar, question.text(), moments);
    if (ours.isRefused()) {
      verdicts.merge("refused", 1, Integer::sum);
      refusals.merge(ours.error().replaceAll("^\\d+:\\d+: |\"[^\"]*\"", ""), 1, Integer::sum);
    } else if (!ours.isAnswered()) {
      wrong.add(question.text() + ": status " + ours.status() + ", " + ours.error());
    }
    return ours;
  }

  private static PromqlAnswer answer(String address, String query, AskedMoments moments)
      throws Exception {
    return moments.isOne()
        ? PromqlAnswer.at(address, query, moments.firstMillis())
        : PromqlAnswer.over(address, query, moments);
  }

  private void compare(
      PromqlQuery question, long moment, PromqlAnswer ours, List<ExpectedRow> rows, String source) {
    Map<Map<String, String>, Double> found = ours.numbers().getOrDefault(moment, Map.of());
    List<String> differences = FoundRows.of(found, Expected.of(rows, question.outer()), source);
    if (!differences.isEmpty()) {
      wrong.add(question.text() + " at " + moment + ":\n  " + String.join("\n  ", differences));
    }
  }

  private void count(PromqlQuery question, int wrongBefore) {
    if (wrong.size() == wrongBefore) {
      verdicts.merge(question.figure().isExact() ? "equal" : "within", 1, Integer::sum);
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
