package io.hdrsidecar.sidecar.journal;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where the journal is, how safe and how large.
 *
 * @param directory holds nothing but the journal of one sidecar; created when missing
 * @param flush longest time an interval waits to be written; 1 ms to 10 s
 * @param fsync whether a flush waits for the disk, so that a power failure loses nothing that was
 *     acknowledged; without, that holds for the end of the process only
 * @param rotateBytes a file that reaches this size is followed by another; 64 KiB or more
 * @param rotateAge so is one of this age; 1 s or more
 * @param retainBytes files not needed for totals are deleted, oldest first, while all together are
 *     larger; four times rotateBytes or more
 * @param retainAge and those in which nothing is younger than this
 * @param degrade what to do while writing fails
 * @param maxQueuedBytes what may wait to be written before clients are no longer read from; 64 KiB
 *     or more
 * @param maxInstances of how many clients the last sequence number is kept
 * @param instanceMemory for how long it is kept
 */
public record JournalConfig(
    Path directory,
    Duration flush,
    boolean fsync,
    long rotateBytes,
    Duration rotateAge,
    long retainBytes,
    Duration retainAge,
    Degrade degrade,
    long maxQueuedBytes,
    int maxInstances,
    Duration instanceMemory) {
  /** What to do while the journal cannot be written; merging and serving go on in either case. */
  public enum Degrade {
    /** Acknowledge what is merged: clients go on, a restart would lose what came meanwhile. */
    MEMORY,
    /** Acknowledge nothing: clients keep their intervals until the journal can be written again. */
    REFUSE
  }

  private static final long MIN_ROTATE_BYTES = 64 << 10;
  private static final long MIN_QUEUED_BYTES = 64 << 10;

  /** Checks the ranges; throws IllegalArgumentException. */
  public JournalConfig {
    requireWithin("flush", flush, Duration.ofMillis(1), Duration.ofSeconds(10));
    requireWithin("rotateAge", rotateAge, Duration.ofSeconds(1), Duration.ofDays(3650));
    requireWithin("retainAge", retainAge, Duration.ofSeconds(1), Duration.ofDays(3650));
    requireAtLeast("rotateBytes", rotateBytes, MIN_ROTATE_BYTES);
    requireAtLeast("retainBytes", retainBytes, 4 * rotateBytes);
    requireAtLeast("maxQueuedBytes", maxQueuedBytes, MIN_QUEUED_BYTES);
    requireAtLeast("maxInstances", maxInstances, 1);
  }

  private static void requireWithin(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(name + " must be " + min + ".." + max + ": " + value);
    }
  }

  private static void requireAtLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " must be at least " + min + ": " + value);
    }
  }

  /** The defaults, in a directory. */
  public static JournalConfig in(Path directory) {
    return new JournalConfig(
        directory,
        Duration.ofMillis(100),
        false,
        64 << 20,
        Duration.ofHours(1),
        1 << 30,
        Duration.ofHours(24),
        Degrade.MEMORY,
        32 << 20,
        100_000,
        Duration.ofHours(24));
  }
}
