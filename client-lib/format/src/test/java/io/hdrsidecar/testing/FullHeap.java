package io.hdrsidecar.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes all the heap there is, for programs that show what then happens; run them in JVMs of their
 * own ({@link JavaProgram}). {@link #release} gives it back.
 */
public final class FullHeap {
  private static final int LARGEST = 1 << 20;
  private static final int SMALLEST = 16;

  private final List<byte[]> ballast = new ArrayList<>(LARGEST); // may not grow when it is full

  private FullHeap() {}

  /** Fills the heap to less than its smallest array. */
  public static FullHeap fill() {
    FullHeap heap = new FullHeap();
    for (int size = LARGEST; size >= SMALLEST; size /= 4) {
      heap.fillWith(size);
    }
    return heap;
  }

  private void fillWith(int size) {
    try {
      while (true) {
        ballast.add(new byte[size]);
      }
    } catch (OutOfMemoryError e) {
      // no block of this size is left
    }
  }

  /** Gives back what was taken. */
  public void release() {
    ballast.clear();
  }
}
