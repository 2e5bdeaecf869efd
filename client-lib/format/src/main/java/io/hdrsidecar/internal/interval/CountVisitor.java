package io.hdrsidecar.internal.interval;

/** Receives non-zero buckets in ascending order of their index. */
@FunctionalInterface
public interface CountVisitor {
  /**
   * One non-zero bucket.
   *
   * @param index bucket index in the layout of the counts visited
   * @param count more than 0
   */
  void visit(int index, long count);
}
