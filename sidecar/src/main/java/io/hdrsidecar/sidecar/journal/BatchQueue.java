package io.hdrsidecar.sidecar.journal;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The batch that is being filled, and how many bytes wait with the writer. Batches that have been
 * written are filled again. Merge context; {@link #queuedBytes} any thread.
 */
final class BatchQueue {
  /** Small enough that a client whose window is full does not wait for the flush interval. */
  private static final int BATCH_BYTES = 64 << 10;

  private final int keptBatches;
  private final ArrayDeque<Batch> spare = new ArrayDeque<>();
  private Batch open = new Batch();
  private volatile @Nullable JournalWriter writer;
  private volatile long queuedBytes;

  /**
   * Nothing waits, and nobody writes.
   *
   * @param keptBatches how many are kept to be filled again
   */
  BatchQueue(int keptBatches) {
    this.keptBatches = keptBatches;
  }

  /** Before the first batch is filled, or when the last was handed over: who writes, if anybody. */
  void writeBy(@Nullable JournalWriter newWriter) {
    writer = newWriter;
  }

  /** The batch for the next record; hands over one that is large. */
  Batch toFill() {
    if (open.size() >= BATCH_BYTES) {
      handOver();
    }
    return open;
  }

  /** Gives the writer what there is. */
  void handOver() {
    JournalWriter to = writer;
    if (to != null && !open.isEmpty()) {
      queue(open.size());
      to.add(open);
      Batch reused = spare.poll();
      open = reused == null ? new Batch() : reused;
    }
  }

  /** The merge context is the only one that writes it. */
  private void queue(int moreBytes) {
    long bytes = queuedBytes + moreBytes;
    queuedBytes = bytes;
  }

  /** A batch waits no longer. */
  void settled(Batch batch) {
    queue(-batch.size());
    if (spare.size() < keptBatches) {
      batch.clear();
      spare.add(batch);
    }
  }

  /** Bytes handed over that are not settled. */
  long queuedBytes() {
    return queuedBytes;
  }
}
