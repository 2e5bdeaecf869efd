package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.util.List;

/** Which processor each process may use, where {@code taskset} is at hand and there are two. */
record Cores(List<String> sidecar, List<String> feeder) {
  static Cores apart() throws InterruptedException {
    int count = Runtime.getRuntime().availableProcessors();
    if (count < 2 || !hasTaskset()) {
      return new Cores(List.of(), List.of());
    }
    return new Cores(
        List.of("taskset", "-c", Integer.toString(count - 1)),
        List.of("taskset", "-c", "0-" + (count - 2)));
  }

  private static boolean hasTaskset() throws InterruptedException {
    try {
      return new ProcessBuilder("taskset", "-c", "0", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false; // not installed
    }
  }

  boolean pinned() {
    return !sidecar.isEmpty();
  }
}
