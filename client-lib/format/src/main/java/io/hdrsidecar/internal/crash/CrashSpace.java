package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.ALIGNMENT;
import static io.hdrsidecar.internal.crash.CrashLayout.aligned;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives out blocks of the file, none of them to two at a time.
 *
 * <p>A page of a mapped file that the file system has no memory for ends the process when it is
 * touched (SIGBUS). So memory is taken by writing zeros, which fails in an orderly way, and ahead
 * of need: who records finds blocks that are there already.
 */
final class CrashSpace {
  private static final int STEP_BYTES = 64 << 10;
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(STEP_BYTES);

  private final FileChannel channel;
  private final int length;
  private final AtomicInteger used;
  private volatile int backed;

  /** The file system had no room: who records is not to ask it for each value. */
  private volatile boolean isRefused;

  /** Blocks of zeros that were in use and are not, by their size. */
  private final Map<Integer, Queue<Integer>> returned = new ConcurrentHashMap<>();

  private final AtomicInteger returnedBytes = new AtomicInteger();

  /** Of a file of this length, whose first bytes are in use; memory is taken for none of it. */
  CrashSpace(FileChannel channel, int from, int length) {
    this.channel = channel;
    this.length = length;
    this.used = new AtomicInteger(from);
  }

  /**
   * Takes a block of zeros. Any thread; no system call.
   *
   * @return its offset; 0 when there is no room
   */
  int allocate(int bytes) {
    int size = aligned(bytes);
    Queue<Integer> again = returned.get(size);
    Integer block = again == null ? null : again.poll();
    if (block != null) {
      returnedBytes.addAndGet(-size);
      return block;
    }
    int from = used.get();
    while (size <= backed - from) {
      int before = used.compareAndExchange(from, from + size);
      if (before == from) {
        return from;
      }
      from = before;
    }
    return 0;
  }

  /** Takes back a block of zeros that nothing leads to, and nobody will write to. Any thread. */
  void free(int block, int bytes) {
    int size = aligned(bytes);
    returned.computeIfAbsent(size, absent -> new ConcurrentLinkedQueue<>()).add(block);
    returnedBytes.addAndGet(size);
  }

  /** Bytes of blocks that were in use and are not. */
  int returnedBytes() {
    return returnedBytes.get();
  }

  /**
   * Sees to it that so much can be allocated. Any thread, whether it is interrupted or not. Once
   * the file system had no room this asks it no more, until {@link #askAgain}.
   *
   * @return whether it can; the length of the file may not allow it
   * @throws IOException when the file system has no room
   */
  boolean back(int bytes) throws IOException {
    long wanted = (long) used.get() + aligned(bytes);
    return backed >= wanted || (mayGrow() && grow(wanted));
  }

  private boolean mayGrow() {
    return !isRefused && backed < length;
  }

  private synchronized boolean grow(long wanted) throws IOException {
    if (backed < wanted && mayGrow()) { // Another thread may have been told meanwhile.
      try {
        await(new FutureTask<>(() -> writeZeros(wanted)));
      } catch (IOException | OutOfMemoryError e) {
        isRefused = true;
        throw e;
      }
    }
    return backed >= wanted;
  }

  /** The next time that memory is wanted the file system is asked, whatever it has said. */
  void askAgain() {
    isRefused = false;
  }

  /**
   * A thread that is interrupted while it writes to a channel closes it, and with it ends the lock
   * that says that the process lives. A thread that nobody else knows is not interrupted; nor with
   * all others of a group, as it is in none of theirs.
   */
  private static void await(FutureTask<Boolean> task) throws IOException {
    Thread writer = new Thread(outermost(), task, "hdr-sidecar-crash", 0, false);
    writer.setDaemon(true);
    writer.start();
    boolean isInterrupted = false;
    try {
      while (!task.isDone()) {
        try {
          task.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static ThreadGroup outermost() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  private boolean writeZeros(long wanted) throws IOException {
    int from = backed;
    while (from < wanted && from < length) {
      ByteBuffer zeros = ZEROS.duplicate().limit(Math.min(STEP_BYTES, length - from));
      while (zeros.hasRemaining()) {
        channel.write(zeros, from + zeros.position());
      }
      from += zeros.limit();
      backed = from;
    }
    return true;
  }

  /** Bytes in use, of which memory was taken. */
  int usedBytes() {
    return used.get() / ALIGNMENT * ALIGNMENT;
  }
}
