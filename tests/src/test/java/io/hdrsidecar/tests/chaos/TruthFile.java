package io.hdrsidecar.tests.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/**
 * What one thread of a client recorded, written by the thread itself before it records.
 *
 * <pre>
 *   0  int64  series in the upper 8 bits, value in nanoseconds in the lower 56; and so on
 * </pre>
 *
 * <p>Each batch is one {@code write()}, which is done when the bytes are the kernel's: a process
 * killed afterwards leaves them all. Since they are written first, nothing is recorded that is not
 * in the file; of a process killed between the two, the last batch is in the file and not recorded,
 * or in part. An end torn within a number belongs to a batch that was never recorded.
 */
final class TruthFile implements Closeable {
  private static final int VALUE_BITS = 56;
  private static final int READ_BYTES = 1 << 16;

  private final FileChannel channel;
  private final ByteBuffer batch;

  private TruthFile(FileChannel channel, int batchValues) {
    this.channel = channel;
    this.batch = ByteBuffer.allocateDirect(batchValues * Long.BYTES);
  }

  static TruthFile create(Path file, int batchValues) throws IOException {
    return new TruthFile(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        batchValues);
  }

  static int seriesOf(long entry) {
    return (int) (entry >>> VALUE_BITS);
  }

  static long valueOf(long entry) {
    return entry & ((1L << VALUE_BITS) - 1);
  }

  static long entry(int series, long value) {
    return (long) series << VALUE_BITS | value;
  }

  /** Writes a batch; back when the kernel has it. */
  void append(long[] entries) throws IOException {
    batch.clear();
    for (long entry : entries) {
      batch.putLong(entry);
    }
    batch.flip();
    while (batch.hasRemaining()) {
      channel.write(batch);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Hands on all entries of a file in their order; none if the thread never came to write. */
  static void read(Path file, LongConsumer entries) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
      while (channel.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.remaining() >= Long.BYTES) {
          entries.accept(buffer.getLong());
        }
        buffer.compact();
      }
    } catch (NoSuchFileException e) {
      return; // killed before the thread was there
    }
  }
}
