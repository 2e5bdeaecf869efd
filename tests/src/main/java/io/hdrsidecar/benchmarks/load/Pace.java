package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The feeder process of an even load: each connection sends all its series an interval every
 * second, at once, as client-lib does; the connections of a process do so at other moments of the
 * second. {@code Pace ADDRESS CONNECTIONS FIRST_SERIES SERIES_OF_A_CONNECTION BUCKETS SECONDS}. At
 * the end everything sent is acknowledged.
 */
final class Pace {
  private static final long TURN_NANOS = 1_000_000_000L;

  private Pace() {}

  /** See the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    int connections = Integer.parseInt(args[1]);
    int first = Integer.parseInt(args[2]);
    int series = Integer.parseInt(args[3]);
    IntervalPool pool = new IntervalPool(Integer.parseInt(args[4]), 0);
    int seconds = Integer.parseInt(args[5]);
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    try {
      List<Future<FeedReport>> reports = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < connections; i++) {
        FeedConnection connection = new FeedConnection(args[0], pool, first + i * series, series);
        long phase = start + i * TURN_NANOS / connections;
        reports.add(threads.submit(() -> send(connection, series, phase, seconds)));
      }
      FeedReport all = new FeedReport(0, 0, 0, 0, 0, 0);
      for (Future<FeedReport> report : reports) {
        all = all.and(report.get());
      }
      System.out.println(all.line());
    } finally {
      threads.shutdown();
    }
  }

  private static FeedReport send(FeedConnection connection, int series, long start, int seconds)
      throws IOException {
    long late = 0;
    try (connection) {
      for (int turn = 0; turn < seconds; turn++) {
        Flood.parkUntil(start + turn * TURN_NANOS);
        long now = System.currentTimeMillis();
        for (int i = 0; i < series; i++) {
          connection.send(now);
        }
        connection.awaitSettled();
        late += System.nanoTime() - start > (turn + 1) * TURN_NANOS ? 1 : 0;
      }
    }
    return new FeedReport(connection.sent(), connection.sentValues(), 0, 0, 0, late);
  }
}
