package io.hdrsidecar.sidecar.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
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
  /** Counts by the bounds of their buckets, and how many lines they came from. */
  public static final class Found {
    public final Map<String, Long> counts = new TreeMap<>();
    public int lines;

    private void add(Histogram histogram) {
      lines++;
      for (HistogramIterationValue each : histogram.recordedValues()) {
        long value = each.getValueIteratedTo();
        String bounds =
            histogram.lowestEquivalentValue(value) + ".." + histogram.highestEquivalentValue(value);
        counts.merge(bounds, each.getCountAtValueIteratedTo(), Long::sum);
      }
    }

    public long count() {
      return counts.values().stream().mapToLong(each -> each).sum();
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
    Found found = new Found();
    for (Path file : new ArrayList<>(files(journal))) {
      HistogramLogReader reader = new HistogramLogReader(file.toFile());
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        if (tag.test(String.valueOf(next.getTag()))
            && next.getStartTimeStamp() < toMillis
            && next.getEndTimeStamp() > fromMillis) {
          found.add((Histogram) next);
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
