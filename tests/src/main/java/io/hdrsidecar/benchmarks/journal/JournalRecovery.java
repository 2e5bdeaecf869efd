package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.RecoveryReport;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Fills a journal with intervals of one second and measures how long a start takes to read it.
 *
 * <p>Claim: 10,000 series and an hour are read in less than 10 s. Arguments: folder (default: the
 * temporary one), series (10,000), seconds (3,600), values in an interval (20).
 */
public final class JournalRecovery {
  private static final long HISTORY_BYTES = 64L << 20;

  private JournalRecovery() {}

  /** See the class. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
    int series = JournalCost.number(args, 1, 10_000);
    int seconds = JournalCost.number(args, 2, 3_600);
    int values = JournalCost.number(args, 3, 20);
    Path directory = Files.createTempDirectory(folder, "journal-recovery");
    try {
      long start = System.nanoTime();
      SteppingClock clock = new SteppingClock(System.currentTimeMillis() - seconds * 1000L);
      fill(directory, clock, series, seconds, values);
      System.out.printf(Locale.ROOT, "written in %.1f s%n", (System.nanoTime() - start) / 1e9);
      read(directory, clock, series, seconds, 0);
      read(directory, clock, series, seconds, HISTORY_BYTES);
    } finally {
      JournalCost.delete(directory);
    }
  }

  private static void fill(Path directory, SteppingClock clock, int series, int seconds, int values)
      throws Exception {
    SeriesStore store =
        new SeriesStore(MergeConfig.defaults(), clock, () -> clock.millis() * 1_000_000);
    Journal journal = Journal.open(JournalConfig.in(directory), store, clock);
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      store.log().start(load, () -> {});
      for (int i = 0; i < seconds; i++) {
        load.encodeFrames(clock.millis());
        load.mergeAll();
        clock.step(1000);
      }
      load.awaitDurable();
      System.out.println(journal.status());
      close(journal, load);
    }
  }

  /** The journal's end waits for the merge context, which is this thread. */
  static void close(@Nullable Journal journal, MergeLoad load) throws InterruptedException {
    if (journal != null) {
      Thread closing = new Thread(journal::close);
      closing.start();
      while (closing.isAlive()) {
        load.awaitDurable();
        load.runTasks();
        closing.join(Duration.ofMillis(10).toMillis());
      }
    }
  }

  /** As right after the last interval, so that the windows are filled, too. */
  private static void read(
      Path directory, InstantSource clock, int series, int seconds, long historyBytes)
      throws Exception {
    SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, System::nanoTime);
    if (historyBytes > 0) {
      store.past().keepIn(new History(historyBytes));
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long busyStart = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    try (Journal journal = Journal.open(JournalConfig.in(directory), store, clock)) {
      double took = (System.nanoTime() - start) / 1e9;
      RecoveryReport report = journal.status().recovery();
      System.out.println(report);
      System.out.printf(
          Locale.ROOT,
          "start with %d series, %d s of intervals and a history of %d MiB: %.2f s, %.2f s of them"
              + " on a processor; claim: less than 10 s%n",
          series,
          seconds,
          historyBytes >> 20,
          took,
          (threads.getCurrentThreadCpuTime() - busyStart) / 1e9);
    }
  }
}
