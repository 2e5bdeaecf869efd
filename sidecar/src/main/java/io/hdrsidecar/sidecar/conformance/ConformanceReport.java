package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.sidecar.conformance.ConformanceRun.CaseResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The table of laws, and below it each failure: what was expected, what came, what to do. */
final class ConformanceReport {
  private static final int MOST_SHOWN = 3;

  private final Map<Law, Integer> judged = new EnumMap<>(Law.class);
  private final Map<Law, TreeSet<String>> broken = new EnumMap<>(Law.class);
  private final List<CaseResult> results;
  private final Kit kit;

  ConformanceReport(Kit kit, List<CaseResult> results) {
    this.kit = kit;
    this.results = results;
    for (CaseResult result : results) {
      TreeSet<Law> laws = new TreeSet<>(result.played().laws());
      for (Breach breach : result.breaches()) {
        laws.add(breach.law());
        broken.computeIfAbsent(breach.law(), law -> new TreeSet<>()).add(result.played().name());
      }
      laws.forEach(law -> judged.merge(law, 1, Integer::sum));
    }
  }

  boolean isPassed() {
    return broken.isEmpty();
  }

  void print(PrintWriter out) {
    out.printf("%-20s %5s  %s%n", "law", "cases", "verdict");
    judged.forEach((law, cases) -> out.printf("%-20s %5d  %s%n", law.title(), cases, verdict(law)));
    for (CaseResult result : results) {
      if (!result.breaches().isEmpty()) {
        printFailures(out, result);
      }
    }
    long failed = results.stream().filter(result -> !result.breaches().isEmpty()).count();
    out.printf(
        "%n%d of %d cases passed, seed %d%n", results.size() - failed, results.size(), kit.seed());
  }

  private String verdict(Law law) {
    TreeSet<String> cases = broken.get(law);
    return cases == null ? "passed" : "FAILED in " + String.join(", ", cases);
  }

  private void printFailures(PrintWriter out, CaseResult result) {
    ConformanceCase played = result.played();
    out.printf("%n%s: the sidecar %s%n", played.name(), played.says());
    List<Law> advised = new ArrayList<>();
    for (Breach breach : result.breaches()) {
      long before = advised.stream().filter(law -> law == breach.law()).count();
      advised.add(breach.law());
      if (before < MOST_SHOWN) {
        print(out, breach, before == 0);
      }
    }
    out.printf("  again     --seed %d --case %s%n", kit.seed(), played.name());
    result.output().forEach(line -> out.printf("  client    %s%n", line));
  }

  private static void print(PrintWriter out, Breach breach, boolean withAdvice) {
    out.printf("  FAILED    %s%n", breach.law().title());
    out.printf("  expected  %s%n", breach.expected());
    out.printf("  came      %s%n", breach.came());
    if (!breach.where().isEmpty()) {
      out.printf("  where     %s%n", breach.where());
    }
    if (withAdvice) {
      out.printf(
          "  do        %s (PROTOCOL.md, \"%s\")%n", breach.law().advice(), breach.law().section());
    }
  }
}
