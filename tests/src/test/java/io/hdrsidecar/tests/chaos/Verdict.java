package io.hdrsidecar.tests.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

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
    for (ClientLife life : lives) {
      verdict.judge(life, LifeTruth.read(folder, life.run()), exposition.series(life.run()));
    }
    return verdict;
  }

  private void judge(ClientLife life, LifeTruth truth, List<ExposedSeries> shown) {
    for (int i = 0; i < ChaosClient.SERIES; i++) {
      SeriesTruth most = truth.all().get(i);
      SeriesTruth least = life.killed() ? truth.settled().get(i) : most;
      judge(life.run() + "/" + ChaosClient.label(i), least, shown.get(i), most);
    }
    long exposed = shown.stream().mapToLong(ExposedSeries::count).sum();
    judgeLedger(life, truth.ledger(), exposed);
    count(life, truth, exposed);
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
  private void judgeLedger(ClientLife life, Ledger ledger, long exposed) {
    String run = life.run();
    expect(run + " acknowledged and exposed", ledger.acknowledged(), exposed, Long.MAX_VALUE);
    expect(run + " intervals in flight", 0, ledger.mostInFlight(), ChaosSidecar.WINDOW);
    expect(run + " intervals that wait", 0, ledger.mostPending(), ChaosClient.SERIES);
    expect(run + " lost by its own account", 0, ledger.lost(), 0);
    expect(run + " neither delivered nor spilled, by its own account", 0, ledger.undelivered(), 0);
    if (!life.killed() && !ledger.closed()) {
      differences.add(run + " ended in order, but did not say how");
    }
  }

  private void count(ClientLife life, LifeTruth truth, long exposed) {
    long all = LifeTruth.count(truth.all());
    recorded += all;
    if (life.killed()) {
      killed++;
      takenByKill += all - exposed;
    } else if (truth.ledger().spilled() > 0) {
      spills++;
      spilled += truth.ledger().spilled();
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
