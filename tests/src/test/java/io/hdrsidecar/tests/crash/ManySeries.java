package io.hdrsidecar.tests.crash;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.util.Map;

/** A service that records a known list of values into many series, and then waits to be killed. */
public final class ManySeries {
  private ManySeries() {}

  /** How often each value of a series is recorded, so that no two neighbours have the same. */
  static int times(int series) {
    return 1 + series % 7;
  }

  /** The values of a series, each in a bucket far from the others. */
  static long[] values(int series) {
    return new long[] {1_000L * (series + 1), 1_000_000_000L + 5_000_000L * series};
  }

  /**
   * Runs.
   *
   * @param arguments how many series, and how many characters of labels each has beside its number
   */
  public static void main(String[] arguments) throws InterruptedException {
    HdrSidecarClient client = HdrSidecarClient.fromEnvironment();
    String half = "x".repeat(Integer.parseInt(arguments[1]) / 2);
    LatencyRecorder[] recorders = new LatencyRecorder[Integer.parseInt(arguments[0])];
    for (int i = 0; i < recorders.length; i++) {
      Labels labels = Labels.of(Map.of("series", Integer.toString(i), "one", half, "two", half));
      recorders[i] = client.recorder("many", labels);
    }
    for (int i = 0; i < recorders.length; i++) {
      for (long value : values(i)) {
        for (int time = 0; time < times(i); time++) {
          recorders[i].record(value);
        }
      }
    }
    System.out.println("recording");
    Thread.sleep(Long.MAX_VALUE);
  }
}
