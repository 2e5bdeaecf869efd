package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Measures how many intervals a second are merged without a journal, with one, and with one that
 * has an index for queries, in turn, until the last is flushed.
 *
 * <p>Claim: the journal costs less than 25 %. Arguments: folder (default: the temporary one),
 * series (1,000), values in an interval (200), rounds (5), intervals of a series in a round (400).
 */
public final class JournalCost {
  private final Path folder;
  private final int series;
  private final int values;
  private final int intervals;

  private JournalCost(Path folder, int series, int values, int intervals) {
    this.folder = folder;
    this.series = series;
    this.values = values;
    this.intervals = intervals;
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
    int rounds = number(args, 3, 5);
    JournalCost cost =
        new JournalCost(folder, number(args, 1, 1000), number(args, 2, 200), number(args, 4, 400));
    List<Round> without = new ArrayList<>();
    List<Round> with = new ArrayList<>();
    List<Round> indexed = new ArrayList<>();
    cost.round(false, false);
    cost.round(true, true);
    for (int i = 0; i < rounds; i++) {
      without.add(cost.round(false, false));
      with.add(cost.round(true, false));
      indexed.add(cost.round(true, true));
    }
    print("intervals a second by the clock", without, with, Round::perSecond);
    print("intervals a second of the merge thread's time", without, with, Round::perBusySecond);
    print("with an index, by the clock", without, indexed, Round::perSecond);
    print("with an index, of the merge thread's time", without, indexed, Round::perBusySecond);
  }

  /**
   * What one round gave.
   *
   * @param perSecond intervals a second, until the last is flushed
   * @param perBusySecond intervals a second that the merging thread was on a processor: what one
   *     event loop could do at most, and what other load on the machine hardly changes
   */
  private record Round(double perSecond, double perBusySecond) {}

  private static void print(
      String what, List<Round> without, List<Round> with, ToDoubleFunction<Round> figure) {
    double off = median(without, figure);
    double on = median(with, figure);
    System.out.printf(
        Locale.ROOT,
        "%s, median of %d rounds: %.0f without a journal, %.0f with one: costs %.1f %%;"
            + " claim: less than 25 %%%n",
        what,
        with.size(),
        off,
        on,
        100 * (1 - on / off));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
  }

  static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private Round round(boolean journaled, boolean indexed) throws Exception {
    SeriesStore store = new SeriesStore(MergeConfig.defaults());
    Path directory = Files.createTempDirectory(folder, "journal-cost");
    Journal journal =
        journaled
            ? Journal.open(
                JournalConfig.in(directory), store, Clock.systemUTC(), indexed, JournalTail.NONE)
            : null;
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      store.log().start(load, () -> {});
      load.mergeAll();
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long busyStart = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      for (int i = 0; i < intervals; i++) {
        load.mergeAll();
      }
      load.awaitDurable();
      long merged = (long) series * intervals;
      Round done =
          new Round(
              1e9 * merged / (System.nanoTime() - start),
              1e9 * merged / (threads.getCurrentThreadCpuTime() - busyStart));
      JournalRecovery.close(journal, load);
      return done;
    } finally {
      delete(directory);
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
