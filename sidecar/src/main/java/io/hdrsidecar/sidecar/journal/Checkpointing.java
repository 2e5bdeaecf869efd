package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * When checkpoints are made, and what they make superfluous. A failed one costs nothing but the
 * files that could have been deleted; it is tried again. Writer thread only.
 */
final class Checkpointing implements AutoCloseable {
  private static final long RETRY_NANOS = 5_000_000_000L;
  private static final long RETENTION_NANOS = 10_000_000_000L;

  private final JournalDirectory directory;
  private final SeriesStore store;
  private final JournalClock clock;
  private final JournalHealth health;
  private final SequenceMemory sequences;
  private final Retention retention;
  private final HistogramEncoder encoder = new HistogramEncoder();
  private @Nullable CheckpointRun running;
  private boolean requested;
  private long notBeforeNanos = System.nanoTime();
  private long retentionAtNanos = System.nanoTime();

  /**
   * No checkpoint yet.
   *
   * @param requested whether one is wanted from the start
   */
  Checkpointing(JournalContext shared, boolean requested) {
    this.directory = shared.directory();
    this.store = shared.store();
    this.clock = shared.clock();
    this.health = shared.health();
    this.sequences = shared.sequences();
    JournalPast past = shared.past();
    this.retention =
        new Retention(
            directory,
            shared.config().retainBytes(),
            shared.config().retainAge(),
            shared.tail()::taken,
            past == null ? entry -> {} : past::deleted);
    this.requested = requested;
  }

  /** A checkpoint is wanted of what is merged by now. */
  void request() {
    requested = true;
  }

  /** Whether there is work that waits for nothing. */
  boolean isBusy() {
    return running != null && !running.isCopied();
  }

  /**
   * Goes on with a checkpoint, or begins one.
   *
   * @param output open
   * @param settledRecord every record up to this one is flushed
   * @return whether a checkpoint was completed
   */
  boolean advance(JournalOutput output, long settledRecord, long sliceNanos) {
    try {
      boolean completed = advanceRun(output, settledRecord, sliceNanos);
      retain(completed);
      return completed;
    } catch (IOException | RuntimeException e) {
      health.checkpointFailed(e);
      abandon();
      notBeforeNanos = System.nanoTime() + RETRY_NANOS;
      return false;
    }
  }

  private boolean advanceRun(JournalOutput output, long settledRecord, long sliceNanos)
      throws IOException {
    CheckpointRun run = running;
    if (run == null) {
      if (requested && System.nanoTime() - notBeforeNanos >= 0) {
        running =
            new CheckpointRun(directory, store, encoder, output.firstRecord(), clock.another());
        requested = false;
      }
      return false;
    }
    if (!run.copyUntil(System.nanoTime() + sliceNanos) || run.lastRecord() > settledRecord) {
      return false;
    }
    output.force();
    sequences.forgetOld();
    run.finish(directory, sequences);
    running = null;
    health.checkpointed(clock.wallClock().instant());
    return true;
  }

  private void retain(boolean now) throws IOException {
    if (now || System.nanoTime() - retentionAtNanos >= 0) {
      retentionAtNanos = System.nanoTime() + RETENTION_NANOS;
      retention.apply(clock.wallClock().millis());
      health.files(retention.files(), retention.bytes());
    }
  }

  /** Gives up a checkpoint that is being made; it will be made again. */
  void abandon() {
    CheckpointRun run = running;
    running = null;
    if (run != null) {
      requested = true;
      try {
        run.close();
      } catch (IOException e) {
        health.note("cannot delete an unfinished checkpoint", e);
      }
    }
  }

  @Override
  public void close() {
    abandon();
    encoder.close();
  }
}
