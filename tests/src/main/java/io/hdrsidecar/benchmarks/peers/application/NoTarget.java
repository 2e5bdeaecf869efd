package io.hdrsidecar.benchmarks.peers.application;

/** Records nowhere: what the loop itself costs. */
final class NoTarget implements EventTarget {
  private long sum;

  @Override
  public void record(int series, long nanos) {
    sum += nanos ^ series;
  }

  /** Says what it was given, so that the compiler may not leave it away. */
  @Override
  public void close() {
    System.out.println("sum " + sum);
  }
}
