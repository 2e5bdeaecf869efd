package io.hdrsidecar.sidecar.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

/** What HdrHistogram's own reader finds in the files of a journal. */
public final class JournalText {
  /** The intervals of a range of time, added up. */
  public static final class Found {
    private final long fromMillis;
    private final long toMillis;
    private final Map<String, Histogram> sums = new TreeMap<>();
    private int lines;

    private Found(long fromMillis, long toMillis) {
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
    }

    private void addIfInRange(Histogram histogram) {
      if (histogram.getStartTimeStamp() >= toMillis || histogram.getEndTimeStamp() <= fromMillis) {
        return;
      }
      lines++;
      String layout =
          histogram.getLowestDiscernibleValue()
              + " "
              + histogram.getNumberOfSignificantValueDigits();
      Histogram sum = sums.computeIfAbsent(layout, each -> empty(histogram));
      sum.add(histogram);
    }

    private static Histogram empty(Histogram like) {
      Histogram sum =
          new Histogram(
              like.getLowestDiscernibleValue(),
              like.getHighestTrackableValue(),
              like.getNumberOfSignificantValueDigits());
      sum.setAutoResize(true);
      return sum;
    }

    /** How many lines they were. */
    public int lines() {
      return lines;
    }

    /** Counts by the bounds of their buckets. */
    public Map<String, Long> counts() {
      Map<String, Long> counts = new TreeMap<>();
      for (Histogram sum : sums.values()) {
        for (HistogramIterationValue each : sum.recordedValues()) {
          long value = each.getValueIteratedTo();
          String bounds =
              sum.lowestEquivalentValue(value) + ".." + sum.highestEquivalentValue(value);
          counts.merge(bounds, each.getCountAtValueIteratedTo(), Long::sum);
        }
      }
      return counts;
    }

    /** How many values they have. */
    public long count() {
      return sums.values().stream().mapToLong(Histogram::getTotalCount).sum();
    }
  }

  private JournalText() {}

  /** The files of intervals, in their order. */
  public static List<Path> files(Path journal) throws IOException {
    try (Stream<Path> all = Files.list(journal)) {
      return all.filter(each -> name(each).matches("intervals-.*\\.hlog"))
          .sorted(
              (a, b) ->
                  Long.compare(
                      Long.parseLong(name(a).replaceAll(".*-(\\d+)\\.hlog", "$1")),
                      Long.parseLong(name(b).replaceAll(".*-(\\d+)\\.hlog", "$1"))))
          .toList();
    }
  }

  public static Path index(Path log) {
    return log.resolveSibling(log.getFileName() + ".index");
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /**
   * Adds up the intervals that overlap a range. Its bounds must not be near those of intervals:
   * HistogramLogReader rounds times down.
   */
  public static Found read(Path journal, Predicate<String> tag, long fromMillis, long toMillis)
      throws IOException {
    return read(journal, tag, new long[][] {{fromMillis, toMillis}}).get(0);
  }

  /** The same for several ranges, and reads the files once. */
  public static List<Found> read(Path journal, Predicate<String> tag, long[][] ranges)
      throws IOException {
    List<Found> found = Arrays.stream(ranges).map(range -> new Found(range[0], range[1])).toList();
    for (Path file : files(journal)) {
      HistogramLogReader reader = new HistogramLogReader(file.toFile());
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        if (tag.test(String.valueOf(next.getTag()))) {
          for (Found each : found) {
            each.addIfInRange((Histogram) next);
          }
        }
      }
      reader.close();
    }
    return found;
  }

  /**
   * Copies the files as they were at one moment, as kill -9 would leave them. A checkpoint may get
   * its name, or a file be deleted, while they are copied: then all are copied again.
   */
  public static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    List<String> names;
    do {
      names = names(from);
      for (String old : names(to)) {
        Files.delete(to.resolve(old));
      }
      for (String each : names) {
        try {
          Files.copy(from.resolve(each), to.resolve(each));
        } catch (NoSuchFileException deleted) {
          break; // The names have changed.
        }
      }
    } while (!names.equals(names(from)));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(JournalText::name).sorted().toList();
    }
  }
}
