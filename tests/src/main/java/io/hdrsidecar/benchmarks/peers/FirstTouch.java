package io.hdrsidecar.benchmarks.peers;

import java.util.concurrent.TimeUnit;

/**
 * What memory costs on this machine that was left alone for a second. Where the system beneath a
 * virtual machine takes note of pages that are not in use, the next touch of each may cost
 * microseconds; what does its work once a second pays that for all it touches.
 *
 * @param laterNanos for a page that was touched a second ago
 * @param againNanos for one that was touched at once before
 */
record FirstTouch(double laterNanos, double againNanos) {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 2048;

  static FirstTouch measure() throws InterruptedException {
    byte[] memory = new byte[PAGES * PAGE_BYTES];
    touch(memory);
    TimeUnit.SECONDS.sleep(1);
    double later = touch(memory);
    return new FirstTouch(later, touch(memory));
  }

  private static double touch(byte[] memory) {
    long start = System.nanoTime();
    for (int at = 0; at < memory.length; at += PAGE_BYTES) {
      memory[at]++;
    }
    return (System.nanoTime() - start) / (double) PAGES;
  }

  @Override
  public String toString() {
    return "A page of memory takes %.1f µs when it is touched after a second, %.2f at once again"
        .formatted(laterNanos / 1e3, againNanos / 1e3);
  }
}
