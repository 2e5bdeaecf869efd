package io.hdrsidecar.tests.crash;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What threads say of their own recording, in a mapping of the test's own: before each record that
 * it begins, and after it that it has returned. Whoever kills the process reads both: a value is
 * counted if its record had returned, and may be if it had begun.
 */
public final class Truth {
  static final int THREADS = 8;
  static final int SERIES = 50;
  static final int VALUES_OF_A_SERIES = 16;
  static final int VALUES = SERIES * VALUES_OF_A_SERIES;
  private static final double STEP = 1.015; // so that each value has a bucket of its own
  private static final int CELL_BYTES = 2 * Long.BYTES;
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer memory;

  private Truth(ByteBuffer memory) {
    this.memory = memory;
  }

  /** The one in this file, which is made if it is not there. */
  public static Truth open(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = (long) THREADS * VALUES * CELL_BYTES;
      return new Truth(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.nativeOrder()));
    }
  }

  /** The value of this number, nanoseconds. */
  static long value(int number) {
    return Math.round(1_000_000 * Math.pow(STEP, number));
  }

  private static int cell(int thread, int number) {
    return (thread * VALUES + number) * CELL_BYTES;
  }

  void begins(int thread, int number) {
    raise(cell(thread, number));
  }

  void returned(int thread, int number) {
    raise(cell(thread, number) + Long.BYTES);
  }

  /** A thread writes its own cells alone. */
  private void raise(int at) {
    LONG.setRelease(memory, at, (long) LONG.get(memory, at) + 1);
  }

  /** How often recording this value has begun. */
  long begun(int number) {
    return sum(number, 0);
  }

  /** How often it has returned. */
  long returned(int number) {
    return sum(number, Long.BYTES);
  }

  private long sum(int number, int which) {
    long sum = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      sum += (long) LONG.getVolatile(memory, cell(thread, number) + which);
    }
    return sum;
  }
}
