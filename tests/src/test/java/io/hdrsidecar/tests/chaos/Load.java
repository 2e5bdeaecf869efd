package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.client.LatencyRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One recording thread: at a fixed rate, a batch to its truth file and then to the recorders. */
final class Load extends Thread {
  private static final int BATCH = 25;
  private static final long BATCH_NANOS = TimeUnit.SECONDS.toNanos(BATCH) / 5_000;

  private static final double MEDIAN_NANOS = 1e6;
  private static final double SPREAD = 1.5;
  private static final double TAIL_SHARE = 0.02;
  private static final double TAIL_SHAPE = 0.9;

  private final List<LatencyRecorder> recorders;
  private final TruthFile truth;
  private final SplittableRandom random;
  private volatile long recorded;
  private volatile boolean stopped;

  Load(String name, List<LatencyRecorder> recorders, Path truth, long seed) throws IOException {
    super(name);
    this.recorders = recorders;
    this.truth = TruthFile.create(truth, BATCH);
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void run() {
    try (truth) {
      recordUntilStopped();
    } catch (IOException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(ChaosClient.EXIT_NO_TRUTH);
    }
  }

  private void recordUntilStopped() throws IOException {
    long[] entries = new long[BATCH];
    long due = System.nanoTime();
    long done = 0;
    while (!stopped) {
      for (int i = 0; i < BATCH; i++) {
        entries[i] = TruthFile.entry(random.nextInt(recorders.size()), value());
      }
      truth.append(entries);
      for (long entry : entries) {
        recorders.get(TruthFile.seriesOf(entry)).record(TruthFile.valueOf(entry));
      }
      recorded = done += BATCH;
      due = Math.max(due + BATCH_NANOS, System.nanoTime());
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  /** Log-normal around 1 ms, and of every fiftieth a Pareto tail up to the hour. */
  private long value() {
    double value = MEDIAN_NANOS * Math.exp(SPREAD * random.nextGaussian());
    if (random.nextDouble() < TAIL_SHARE) {
      value *= Math.pow(1 - random.nextDouble(), -1 / TAIL_SHAPE);
    }
    return Math.min(ChaosClient.HIGHEST_NANOS, (long) value);
  }

  /** Of so many values, the first in its truth file, {@code record} has returned. */
  long recorded() {
    return recorded;
  }

  /** Ends the thread after the batch at hand. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }
}
