package io.hdrsidecar.benchmarks.logtools;

import io.hdrsidecar.sidecar.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.HistogramLogProcessor;

/**
 * Summarizes a large log with {@code log summarize} and with HistogramLogProcessor 2.2.2, each as a
 * process of its own, in turn, and prints the ratios of their times, by the clock and on
 * processors, and their peak memory.
 *
 * <p>Claim: at most half of HistogramLogProcessor's time, in memory that does not depend on the
 * log's length; so ours has a heap of 64 MB. Both must print the same distribution. Arguments: size
 * in MiB (default 128) or {@code --gigabyte}, and rounds (default 3). The log is made in a folder
 * for temporary files and deleted at the end.
 */
public final class SummarizeLarge {
  private static final long MIB = 1 << 20;

  private SummarizeLarge() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean gigabyte = args.length > 0 && args[0].equals("--gigabyte");
    long bytes = gigabyte ? 1_000_000_000 : MIB * (args.length > 0 ? Long.parseLong(args[0]) : 128);
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    Path folder = Files.createTempDirectory("summarize-large");
    Path log = folder.resolve("large.hlog");
    Path output = folder.resolve("output.txt");
    try {
      long intervals = LargeLog.write(log, bytes);
      System.out.printf(
          Locale.ROOT, "%d MB, %d intervals of one second%n", bytes / 1_000_000, intervals);
      measure(log, output, rounds);
    } finally {
      Files.deleteIfExists(log);
      Files.deleteIfExists(output);
      Files.delete(folder);
    }
  }

  private static void measure(Path log, Path output, int rounds)
      throws IOException, InterruptedException {
    double[] ratios = new double[rounds];
    double[] cpuRatios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      MeasuredProcess ours =
          MeasuredProcess.run(
              output,
              List.of("-Xmx64m"),
              Main.class,
              List.of("log", "summarize", "--format=hgrm", "--ratio=1000000", log.toString()));
      MeasuredProcess theirs =
          MeasuredProcess.run(
              output, List.of(), HistogramLogProcessor.class, List.of("-i", log.toString()));
      List<String> distribution = theirs.output().subList(1, theirs.output().size()); // StartTime
      if (!ours.output().equals(distribution)) {
        throw new IllegalStateException("the two distributions differ");
      }
      ratios[round] = ours.seconds() / theirs.seconds();
      cpuRatios[round] = ours.cpuSeconds() / theirs.cpuSeconds();
      System.out.printf(
          Locale.ROOT,
          "ours %.2f s (CPU %.2f s), %d MiB; HistogramLogProcessor %.2f s (CPU %.2f s), %d MiB; "
              + "ratio %.3f (CPU %.3f)%n",
          ours.seconds(),
          ours.cpuSeconds(),
          ours.peakKib() / 1024,
          theirs.seconds(),
          theirs.cpuSeconds(),
          theirs.peakKib() / 1024,
          ratios[round],
          cpuRatios[round]);
    }
    Arrays.sort(ratios);
    Arrays.sort(cpuRatios);
    System.out.printf(
        Locale.ROOT,
        "median ratio %.3f (CPU %.3f); the goal is at most 0.5%n",
        ratios[rounds / 2],
        cpuRatios[rounds / 2]);
  }
}
