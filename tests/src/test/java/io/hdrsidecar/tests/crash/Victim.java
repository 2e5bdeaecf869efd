package io.hdrsidecar.tests.crash;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** A service whose threads record a million values a second together until somebody ends it. */
public final class Victim {
  private static final long TICK_NANOS = 1_000_000;
  private static final int RECORDS_OF_A_TICK = 125;

  private static final List<ByteBuffer> TAKEN = new ArrayList<>();

  private Victim() {}

  /**
   * Runs.
   *
   * @param arguments the file of the {@link Truth}; {@code halt} and the milliseconds after which
   *     it halts itself, or {@code leak} and those after which it takes memory without end, or
   *     nothing
   */
  public static void main(String[] arguments) throws Exception {
    Truth truth = Truth.open(Path.of(arguments[0]));
    HdrSidecarClient client = HdrSidecarClient.fromEnvironment();
    LatencyRecorder[] recorders = new LatencyRecorder[Truth.SERIES];
    for (int i = 0; i < recorders.length; i++) {
      recorders[i] = client.recorder("crash", Labels.of("series", Integer.toString(i)));
    }
    for (int thread = 0; thread < Truth.THREADS; thread++) {
      int number = thread;
      new Thread(() -> record(number, truth, recorders)).start();
    }
    System.out.println("recording");
    if (arguments.length > 1) {
      Thread.sleep(Long.parseLong(arguments[2]));
      if (arguments[1].equals("halt")) {
        Runtime.getRuntime().halt(3);
      }
      leak();
    }
  }

  private static void leak() {
    while (true) {
      ByteBuffer touched = ByteBuffer.allocateDirect(1 << 20);
      for (int page = 0; page < touched.capacity(); page += 4_096) {
        touched.put(page, (byte) 1);
      }
      TAKEN.add(touched);
    }
  }

  private static void record(int thread, Truth truth, LatencyRecorder[] recorders) {
    SplittableRandom random = new SplittableRandom(thread);
    long next = System.nanoTime();
    while (true) {
      for (int i = 0; i < RECORDS_OF_A_TICK; i++) {
        int number = random.nextInt(Truth.VALUES);
        long value = Truth.value(number);
        truth.begins(thread, number);
        recorders[number / Truth.VALUES_OF_A_SERIES].record(value);
        truth.returned(thread, number);
      }
      next += TICK_NANOS;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }
}
