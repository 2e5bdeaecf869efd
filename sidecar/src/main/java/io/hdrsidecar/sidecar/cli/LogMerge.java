package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads many logs side by side, always the interval that starts first: the order of one log that
 * all had written together. Logs that are not in order themselves come as they are. One thread at a
 * time.
 */
final class LogMerge implements AutoCloseable {
  private record Waiting(LogScan scan, int number, boolean relative) {
    double start() {
      return scan.interval().startSeconds() - (relative ? scan.startSeconds() : 0);
    }
  }

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(
          Comparator.comparingDouble(Waiting::start).thenComparingInt(Waiting::number));
  private final boolean relative;
  private @Nullable Waiting current;
  private double startSeconds = Double.POSITIVE_INFINITY;

  /**
   * Opens the logs; those that cannot be opened are told and left out.
   *
   * @param relative whether the time of each log counts from its own start
   */
  LogMerge(List<LogInput> files, IntervalSelection selection, Messages messages, boolean relative)
      throws IOException {
    this.relative = relative;
    for (LogInput file : files) {
      LogScan scan = LogTool.open(file, selection, messages, files.size() == 1);
      if (scan != null) {
        add(new Waiting(scan, waiting.size(), relative));
      }
    }
  }

  private void add(Waiting log) throws IOException {
    if (log.scan().next()) {
      startSeconds = Math.min(startSeconds, log.scan().startSeconds());
      waiting.add(log);
    } else {
      log.scan().close();
    }
  }

  /** The log whose interval is next, or null at the end of all. */
  @Nullable LogScan next() throws IOException {
    if (current != null) {
      add(current);
    }
    current = waiting.poll();
    return current == null ? null : current.scan();
  }

  /** How many logs have not ended, the one that was returned last among them. */
  int openLogs() {
    return waiting.size() + (current == null ? 0 : 1);
  }

  /** When the first of the logs started; 0 for relative time or without an interval. */
  double startSeconds() {
    return relative || Double.isInfinite(startSeconds) ? 0 : startSeconds;
  }

  @Override
  public void close() throws IOException {
    if (current != null) {
      current.scan().close();
    }
    for (Waiting log : waiting) {
      log.scan().close();
    }
  }
}
