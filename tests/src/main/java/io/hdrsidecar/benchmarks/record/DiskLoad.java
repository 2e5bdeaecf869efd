package io.hdrsidecar.benchmarks.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that write to a disk as fast as it takes it, and have it flushed. */
final class DiskLoad implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS_OF_A_FLUSH = 8;
  private static final int BLOCKS_OF_A_FILE = 256;

  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
  private final AtomicLong flushedBlocks = new AtomicLong();
  private final long startNanos = System.nanoTime();
  private volatile boolean isWanted = true;

  private DiskLoad() {}

  static DiskLoad on(Path folder) throws IOException {
    String type = Files.getFileStore(folder).type();
    if (type.equals("tmpfs") || type.equals("ramfs")) {
      throw new IOException(folder + " must be on a disk, and is on " + type);
    }
    DiskLoad load = new DiskLoad();
    for (int i = 0; i < WRITERS; i++) {
      Path file = Files.createTempFile(folder, "hdr-sidecar-disk-load", "");
      load.writers.execute(() -> load.write(file));
    }
    return load;
  }

  private void write(Path file) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int written = 0; isWanted; written++) {
        long position = (long) (written % BLOCKS_OF_A_FILE) * BLOCK_BYTES;
        channel.write(block.clear(), position);
        if (written % BLOCKS_OF_A_FLUSH == BLOCKS_OF_A_FLUSH - 1) {
          channel.force(true);
          flushedBlocks.addAndGet(BLOCKS_OF_A_FLUSH);
        }
      }
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the disk took since the start. */
  double mebibytesOfASecond() {
    return flushedBlocks.get() * 1e9 / (System.nanoTime() - startNanos);
  }

  @Override
  public void close() {
    isWanted = false;
    writers.shutdown();
    try {
      if (!writers.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the disk does not end what it has begun");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
