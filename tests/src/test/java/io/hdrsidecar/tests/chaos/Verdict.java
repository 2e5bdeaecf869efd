package io.hdrsidecar.tests.chaos;

import static java.util.stream.Collectors.groupingBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what is exposed with what was recorded, bucket by bucket.
 *
 * <p>Of a process that ended in order both are equal, also if it had to spill. Of one that was
 * killed, at least what was acknowledged is exposed, and at most what was recorded; what lies
 * between is told apart from what is lost.
 */
final class Verdict {
  private final List<String> differences = new ArrayList<>();
  private long recorded;
  private long takenByKill;
  private int killed;
  private long spilled;
  private int spills;
  private long lost;
  private long doubled;

  /** Judges all processes of the clients by what the sidecar shows now. */
  static Verdict of(List<ClientLife> lives, Path folder, Exposition exposition) throws Exception {
    Verdict verdict = new Verdict();
    Map<String, List<ClientLife>> runs =
        lives.stream()
            .collect(groupingBy(ClientLife::run, LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<String, List<ClientLife>> run : runs.entrySet()) {
      RunTruth truth = RunTruth.read(folder, run.getValue());
      List<ExposedSeries> shown = exposition.series(run.getKey());
      verdict.judge(run.getKey(), truth, shown);
      if (run.getValue().stream().anyMatch(ClientLife::killed)) {
        verdict.killed++;
        verdict.takenByKill += truth.recorded() - exposed(shown);
      }
    }
    return verdict;
  }

  private static long exposed(List<ExposedSeries> series) {
    return series.stream().mapToLong(ExposedSeries::count).sum();
  }

  private void judge(String run, RunTruth truth, List<ExposedSeries> shown) {
    for (int i = 0; i < ChaosClient.SERIES; i++) {
      String series = run + "/" + ChaosClient.label(i);
      judge(series, truth.least().get(i), shown.get(i), truth.most().get(i));
    }
    expect(run + " acknowledged and exposed", truth.acknowledged(), exposed(shown), Long.MAX_VALUE);
    truth.ledgers().forEach(ledger -> judgeLedger(run, ledger));
    recorded += truth.recorded();
  }

  private void judge(String series, SeriesTruth least, ExposedSeries shown, SeriesTruth most) {
    judgeBuckets(series, least.buckets(), shown.buckets(), most.buckets());
    long inBuckets = shown.buckets().values().stream().mapToLong(Long::longValue).sum();
    expect(series + " count on /metrics", inBuckets, shown.count(), inBuckets);
    expect(series + " sum on /metrics", least.sum(), shown.sum(), most.sum());
  }

  private void judgeBuckets(
      String series, Map<Long, Long> least, Map<Long, Long> shown, Map<Long, Long> most) {
    TreeSet<Long> buckets = new TreeSet<>(most.keySet());
    buckets.addAll(shown.keySet());
    for (Long bucket : buckets) {
      long atLeast = least.getOrDefault(bucket, 0L);
      long found = shown.getOrDefault(bucket, 0L);
      long atMost = most.getOrDefault(bucket, 0L);
      lost += Math.max(0, atLeast - found);
      doubled += Math.max(0, found - atMost);
      expect(series + " bucket from " + bucket + " ns", atLeast, found, atMost);
    }
  }

  /**
   * A killed process takes with it what is not exposed. Its last account shows that this is no more
   * than it may hold: everything acknowledged is exposed, so the rest was in flight, at most a
   * window, or waited, at most one interval for each series, or was recorded since.
   */
  private void judgeLedger(String run, Ledger ledger) {
    expect(run + " intervals in flight", 0, ledger.mostInFlight(), ChaosSidecar.WINDOW);
    expect(run + " intervals that wait", 0, ledger.mostPending(), ChaosClient.SERIES);
    expect(run + " lost by its own account", 0, ledger.lost(), 0);
    expect(run + " neither delivered nor spilled by its own account", 0, ledger.undelivered(), 0);
    if (ledger.spilled() > 0) {
      spills++;
      spilled += ledger.spilled();
    }
  }

  private void expect(String what, long atLeast, long found, long atMost) {
    if (found < atLeast || found > atMost) {
      String wanted = atLeast == atMost ? "" + atLeast : atLeast + ".." + atMost;
      differences.add(what + ": " + found + " instead of " + wanted);
    }
  }

  /** What is wrong; nothing if all is well. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  /** {@code recorded=N taken-by-kill=K (of M kills) spilled=S (by E ends) lost=0 doubled=0}. */
  @Override
  public String toString() {
    return "recorded="
        + recorded
        + " taken-by-kill="
        + takenByKill
        + " (of "
        + killed
        + " kills) spilled="
        + spilled
        + " (by "
        + spills
        + " ends) lost="
        + lost
        + " doubled="
        + doubled;
  }
}
