package io.hdrsidecar.sidecar.files;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Interval logs as a store of series. It is the sidecar's store: totals are exact, layouts are kept
 * apart, and recent intervals are in memory; the others are read from the files again. Nothing in
 * it depends on the time of day: there are no windows, series do not end, and its clock stands
 * where the files end.
 *
 * <p>One thread adds; when all is added and {@link #finish} was called, any thread may read.
 */
public final class LogStore implements AutoCloseable {
  /** Enough for 5 digits over the whole range of a long. */
  static final int MAX_COUNTERS = 1 << 23;

  private static final int MAX_SERIES = 100_000;
  private static final int MAX_LAYOUTS = 64;
  private static final int MAX_LABEL_LENGTH = 4096;

  private final FileClock clock = new FileClock();
  private final List<LogFileBytes> files = new ArrayList<>();
  private final FilePast past = new FilePast();
  private final SeriesStore store;
  private final Map<SeriesKey, Long> latestEnd = new HashMap<>();

  /**
   * An empty store.
   *
   * @param historyBytes most memory for intervals that need not be read again, 1 or more
   */
  public LogStore(long historyBytes) {
    store =
        new SeriesStore(
            new MergeConfig(
                MAX_SERIES, MAX_LAYOUTS, MAX_COUNTERS, List.of(), MAX_LABEL_LENGTH, Duration.ZERO),
            clock,
            System::nanoTime);
    store.past().keepIn(new History(historyBytes));
    store.writeTo(past);
    store.past().readFrom(past);
  }

  /**
   * Opens a file that intervals are going to be in.
   *
   * @param name what messages call it
   * @param path where it is; must not change until this is closed
   */
  public LogFileBytes open(String name, Path path) throws IOException {
    LogFileBytes file = LogFileBytes.open(name, path);
    files.add(file);
    return file;
  }

  /**
   * Adds an interval.
   *
   * @param file has it
   * @param offset where the text of its histogram begins in the file
   * @param length how long that is
   * @param histogram what it says
   * @throws RefusedException when the name belongs to another unit, limits are reached, or a count
   *     or sum would overflow
   */
  public void add(
      LogFileBytes file,
      long offset,
      int length,
      SeriesKey key,
      Unit unit,
      DecodedHistogram histogram,
      long startMillis,
      long endMillis)
      throws RefusedException {
    clock.set(startMillis); // a series begins with its first interval
    Series series =
        store.register(
            new SeriesDefinition(
                key, unit, "", histogram.layout(), histogram.highestTrackableValue()));
    clock.set(latestEnd.merge(series.key(), endMillis, Math::max));
    past.at(file, offset, length);
    store.mergeWithoutSumMinMax(series, histogram, startMillis, endMillis);
  }

  /** Everything is added. */
  public void finish() {
    clock.stop();
    latestEnd.clear();
  }

  /** What there is, to be asked. */
  public SeriesStore store() {
    return store;
  }

  /** From when to when there are intervals. */
  public HistoryExtent extent() {
    return past.extent();
  }

  /** Stands still where the files end. */
  public InstantSource clock() {
    return clock;
  }

  /** Closes the files. */
  @Override
  public void close() throws IOException {
    for (LogFileBytes file : files) {
      file.close();
    }
  }
}
