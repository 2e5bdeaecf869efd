package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The writer thread: writes batches and settles them, rotates, has checkpoints made, and tries
 * again after a failure.
 *
 * <p>While writing fails, batches either wait (degrade: refuse), or are settled without being
 * written (degrade: memory). The latter leaves a gap in the files, which the next checkpoint
 * closes, for it copies what was merged and not what was written; until then the journal counts as
 * degraded.
 */
final class JournalWriter implements Runnable {
  private static final long CHECKPOINT_SLICE_NANOS = 5_000_000;
  private static final long RETRY_NANOS = 2_000_000_000L;

  private final JournalConfig config;
  private final JournalHealth health;
  private final SequenceMemory sequences;
  private final JournalOutput output;
  private final Checkpointing checkpoints;
  private final Consumer<Batch> onSettled;
  private final Runnable onTick;
  private final BlockingQueue<Batch> queue = new LinkedBlockingQueue<>();
  private final List<Batch> pending = new ArrayList<>();
  private final JournalEntry entry = new JournalEntry();
  private long settledRecord;
  private long retryAtNanos;
  private long tickAtNanos = System.nanoTime();
  private boolean failing;
  private boolean hasGap;
  private volatile boolean closing;

  /**
   * A writer, not yet running.
   *
   * @param lastRecord last record of the runs before
   * @param onSettled told of each batch that waits no longer, on the writer thread
   * @param onTick called at least once in each flush interval, to ask for the next batch
   */
  JournalWriter(
      JournalContext shared,
      JournalOutput output,
      Checkpointing checkpoints,
      long lastRecord,
      Consumer<Batch> onSettled,
      Runnable onTick) {
    this.config = shared.config();
    this.health = shared.health();
    this.sequences = shared.sequences();
    this.output = output;
    this.checkpoints = checkpoints;
    this.settledRecord = lastRecord;
    this.onSettled = onSettled;
    this.onTick = onTick;
  }

  /** A thread that runs it, not yet started. */
  Thread newThread() {
    Thread thread = new Thread(this, "hdr-sidecar-journal");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (ended, error) -> {
          OutOfMemory.endIfIn(error);
          health.died(error);
        });
    return thread;
  }

  /** Hands a batch over. Any thread. */
  void add(Batch batch) {
    queue.add(batch);
  }

  /** Ends the thread when all that was handed over is written, or failed to be. Any thread. */
  void close() {
    closing = true;
  }

  @Override
  public void run() {
    try {
      tryToWrite(); // a folder that cannot be written to is told of before anybody sends
      while (!closing || !queue.isEmpty()) {
        step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void step() throws InterruptedException {
    take();
    if (!failing || closing || System.nanoTime() - retryAtNanos >= 0) {
      tryToWrite();
    }
    if (failing && config.degrade() == Degrade.MEMORY && !pending.isEmpty()) {
      hasGap = true;
      settle(true);
    }
    if (!failing && checkpoints.advance(output, settledRecord, CHECKPOINT_SLICE_NANOS)) {
      hasGap = false;
      health.whole();
    }
    tick();
  }

  private void take() throws InterruptedException {
    boolean busy = closing || (!failing && checkpoints.isBusy());
    Batch batch = busy ? queue.poll() : queue.poll(config.flush().toNanos(), TimeUnit.NANOSECONDS);
    if (batch != null) {
      pending.add(batch);
      queue.drainTo(pending);
    }
  }

  private void tryToWrite() {
    try {
      if (output.isRotationDue()) {
        output.close();
        checkpoints.request();
      }
      if (pending.isEmpty()) {
        output.open(settledRecord + 1);
      } else {
        output.write(pending, settledRecord + 1);
        settle(false);
      }
      worked();
    } catch (IOException | RuntimeException e) {
      // Whatever goes wrong here must not end the thread: answers to clients depend on it.
      failed(e);
    }
  }

  private void worked() {
    if (failing) {
      failing = false;
      health.works(hasGap);
      if (hasGap) {
        checkpoints.request();
      }
    }
  }

  private void failed(Exception cause) {
    failing = true;
    retryAtNanos = System.nanoTime() + RETRY_NANOS;
    health.fails(cause);
    checkpoints.abandon();
    output.giveUp();
  }

  private void settle(boolean dropped) {
    for (Batch batch : pending) {
      batch.rewind();
      while (batch.read(entry)) {
        remember(batch);
      }
      settledRecord = batch.lastRecord();
      health.settled(settledRecord, dropped ? batch.records() : 0);
      onSettled.accept(batch);
    }
    pending.clear();
  }

  private void remember(Batch batch) {
    if (entry.sequence == Batch.GOODBYE) {
      sequences.goodbye(batch.sender());
    } else if (entry.sequence > 0) {
      sequences.sequence(batch.sender(), entry.sequence);
    }
  }

  private void tick() {
    long now = System.nanoTime();
    if (now - tickAtNanos >= 0) {
      tickAtNanos = now + config.flush().toNanos();
      onTick.run();
    }
  }

  private void end() {
    checkpoints.abandon();
    try {
      output.close();
    } catch (IOException e) {
      health.note("cannot close the journal in order", e);
    }
  }
}
