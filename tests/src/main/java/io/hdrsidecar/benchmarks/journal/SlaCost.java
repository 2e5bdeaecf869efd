package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaRule;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how long one evaluation of all rules takes.
 *
 * <p>Arguments: series (10,000), values in an interval (200), rules (100), whether each matches all
 * series (false: each matches its share).
 */
public final class SlaCost {
  private SlaCost() {}

  /** See the class. */
  public static void main(String[] args) throws Exception {
    int series = JournalCost.number(args, 0, 10_000);
    int values = JournalCost.number(args, 1, 200);
    int rules = JournalCost.number(args, 2, 100);
    boolean all = args.length > 3 && Boolean.parseBoolean(args[3]);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    SteppingClock clock = new SteppingClock(System.currentTimeMillis());
    SeriesStore store =
        new SeriesStore(MergeConfig.defaults(), clock, () -> clock.millis() * 1_000_000);
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      for (int i = 0; i < 20; i++) {
        load.encodeFrames(clock.millis());
        clock.step(1000);
        load.mergeAll();
      }
      SlaEvaluator evaluator = new SlaEvaluator(store, Clock.systemUTC());
      evaluator.use(rules(rules, all));
      for (int i = 0; i < 5; i++) {
        long busyStart = threads.getCurrentThreadCpuTime();
        evaluator.evaluate();
        System.out.printf(
            Locale.ROOT,
            "%d series, %d rules, each about %s: %.1f ms on a processor, %.1f ms by the clock%n",
            series,
            rules,
            all ? "all of them" : "a part of them",
            (threads.getCurrentThreadCpuTime() - busyStart) / 1e6,
            evaluator.lastEvaluationNanos() / 1e6);
      }
    }
  }

  /** The last digits of the label tell which series a rule is about. */
  private static List<SlaRule> rules(int count, boolean all) {
    List<SlaRule> rules = new ArrayList<>();
    SlaRule example = SlaFile.example().get(0);
    for (int i = 0; i < count; i++) {
      String digits = String.format(Locale.ROOT, "%02d", i % 100);
      rules.add(
          new SlaRule(
              "r" + i,
              all ? "load{series!=\"x" + i + "\"}" : "load{series=~\".*" + digits + "\"}",
              List.of(),
              example.limits(),
              example.objective()));
    }
    return rules;
  }
}
