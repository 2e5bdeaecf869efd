package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.FIRST_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_NEXT;

import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Where the series of a file are. It takes a few bytes of each, whatever their definitions take.
 */
final class CrashFileIndex {
  /** What a series takes here, and while they are sorted. */
  static final int BYTES_OF_A_SERIES = 32;

  /** How many counters the series of a block has. */
  interface BlockCounters {
    int of(int block) throws IOException, MalformedFrameException;
  }

  private final int[] blocks; // in the order of the file
  private final int[] sorted;
  private final long[] bySize; // counters, then the place among the blocks

  private CrashFileIndex(int[] blocks, int[] sorted, long[] bySize) {
    this.blocks = blocks;
    this.sorted = sorted;
    this.bySize = bySize;
  }

  /**
   * Finds them.
   *
   * @param most there is memory for so many
   * @throws DamagedException when there are more, or one is no series, or comes twice
   */
  static CrashFileIndex of(CrashImage image, int most, BlockCounters counters)
      throws IOException, MalformedFrameException {
    int[] blocks = new int[count(image, most)];
    int block = image.intAt(FIRST_SERIES);
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = block;
      block = image.intAt(block + SERIES_NEXT);
    }
    int[] sorted = blocks.clone();
    Arrays.sort(sorted);
    requireApart(image, sorted);
    long[] bySize = new long[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      bySize[i] = (long) counters.of(blocks[i]) << Integer.SIZE | i;
    }
    Arrays.sort(bySize);
    return new CrashFileIndex(blocks, sorted, bySize);
  }

  private static int count(CrashImage image, int most) throws IOException {
    int count = 0;
    int passed = 0; // A list that leads back comes to it again.
    int block = image.intAt(FIRST_SERIES);
    while (block != 0) {
      image.number(block, KIND_SERIES, 0);
      if (block == passed) {
        throw new DamagedException("series are without end");
      }
      if (count == most) {
        throw new DamagedException(
            "it has more series than there is memory for, " + most + "; give more heap");
      }
      count++;
      passed = Integer.bitCount(count) == 1 ? block : passed;
      block = image.intAt(block + SERIES_NEXT);
    }
    return count;
  }

  /** So that all definitions together are no longer than the file. */
  private static void requireApart(CrashImage image, int[] sorted) throws IOException {
    for (int i = 1; i < sorted.length; i++) {
      int before = sorted[i - 1];
      if ((long) before + CONTENT + image.number(before, KIND_SERIES, 0) > sorted[i]) {
        throw new DamagedException("series overlap at " + sorted[i]);
      }
    }
  }

  int size() {
    return blocks.length;
  }

  boolean contains(int block) {
    return Arrays.binarySearch(sorted, block) >= 0;
  }

  /**
   * The block at a place of an order that is the same for all who read the file. The series with
   * the most counters come last: so the others have the same numbers whether those are within the
   * limits of the reader or not.
   */
  int bySize(int place) {
    return blocks[(int) bySize[place]];
  }
}
