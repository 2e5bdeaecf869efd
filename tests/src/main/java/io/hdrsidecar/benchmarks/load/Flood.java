package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The feeder process of a flood: a thread for each connection sends intervals as fast as they are
 * acknowledged, {@code Flood ADDRESS CONNECTIONS SERIES BUCKETS DEFLATE_LEVEL WARM_UP SECONDS PID},
 * where the series are all connections' together and PID is that of the sidecar. Warm-up and
 * measured time are seconds of the sidecar's processor time: on a busy machine it may take long
 * until what runs often is compiled. At the end everything sent is acknowledged.
 */
final class Flood {
  private static final int INTERVALS_BETWEEN_CLOCKS = 64;
  private static final long SECOND = 1_000_000_000L;
  private static final long LOOK_NANOS = 20_000_000L;
  private static final long MOST_CLOCK = 4;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<FeedConnection> connections = new ArrayList<>();

  private Flood() {}

  /** See the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Flood flood = new Flood();
    int count = Integer.parseInt(args[1]);
    int series = Integer.parseInt(args[2]) / count;
    IntervalPool pool = new IntervalPool(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    for (int i = 0; i < count; i++) {
      flood.connections.add(new FeedConnection(args[0], pool, i * series, series));
    }
    ProcessUsage sidecar = new ProcessUsage(Long.parseLong(args[7]));
    System.out.println(
        flood.run(sidecar, Integer.parseInt(args[5]), Integer.parseInt(args[6])).line());
  }

  private FeedReport run(ProcessUsage sidecar, int warmUpSeconds, int seconds)
      throws IOException, InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(connections.size());
    try {
      List<Future<?>> floods = new ArrayList<>();
      for (FeedConnection connection : connections) {
        floods.add(
            threads.submit(
                () -> {
                  send(connection);
                  return null;
                }));
      }
      awaitCpu(sidecar, sidecar.cpuNanos() + warmUpSeconds * SECOND);
      long settledBefore = settled();
      long cpuBefore = sidecar.cpuNanos();
      long clockBefore = System.nanoTime();
      awaitCpu(sidecar, cpuBefore + seconds * SECOND);
      long measured = settled() - settledBefore;
      long cpu = sidecar.cpuNanos() - cpuBefore;
      long clock = System.nanoTime() - clockBefore;
      stop.set(true);
      for (Future<?> flood : floods) {
        flood.get();
      }
      long sent = connections.stream().mapToLong(FeedConnection::sent).sum();
      long values = connections.stream().mapToLong(FeedConnection::sentValues).sum();
      return new FeedReport(sent, values, measured, clock, cpu, 0);
    } finally {
      stop.set(true);
      threads.shutdown();
    }
  }

  /** Until then, or four times as long by the clock: it may be that it has little to do. */
  static void awaitCpu(ProcessUsage sidecar, long cpuNanos) throws IOException {
    long latest = System.nanoTime() + MOST_CLOCK * (cpuNanos - sidecar.cpuNanos());
    while (sidecar.cpuNanos() < cpuNanos && System.nanoTime() - latest < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void send(FeedConnection connection) throws IOException {
    try (connection) {
      while (!stop.get()) {
        long now = System.currentTimeMillis();
        for (int i = 0; i < INTERVALS_BETWEEN_CLOCKS; i++) {
          connection.send(now);
        }
      }
      connection.awaitSettled();
    }
  }

  private long settled() {
    return connections.stream().mapToLong(FeedConnection::settled).sum();
  }

  static void parkUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
