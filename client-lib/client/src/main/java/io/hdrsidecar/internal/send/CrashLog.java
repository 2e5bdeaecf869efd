package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.crash.CrashFile;
import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells the crash file what becomes of each interval, so that its reader knows what is left.
 * Without one, or once it is closed, nothing is told. The thread that turns, but for {@link
 * #series}.
 */
final class CrashLog {
  static final CrashLog NONE = new CrashLog(null);

  private final @Nullable CrashFile file;
  private boolean wasFull;

  private CrashLog(@Nullable CrashFile file) {
    this.file = file;
  }

  /** A service starts without the file, too; but its operator should know. */
  static CrashLog open(SendConfig config, InstanceId instance, StateLog log) {
    CrashConfig crash = config.crash();
    if (crash == null || !config.enabled()) {
      return NONE;
    }
    try {
      SpillFolder folder = crash.folder().folder();
      if (folder.prepare()) { // Maybe by mistake: who has mistyped it should see.
        log.always(
            Level.INFO,
            "created the crash folder "
                + folder.path()
                + "; a sidecar needs the same to look into");
      }
      long everyMillis = Math.min(config.interval().toMillis(), 1_000);
      return new CrashLog(
          CrashFile.create(
              crash.folder(),
              instance,
              config.commonLabels(),
              everyMillis,
              config.clock().millis()));
    } catch (IOException | RuntimeException e) {
      log.always(
          Level.WARNING,
          "the crash folder cannot be used; what is recorded is lost if this process is killed: "
              + e);
      return NONE;
    }
  }

  private @Nullable CrashFile open() {
    CrashFile present = file;
    return present == null || present.isClosed() ? null : present;
  }

  /** Whether there is a file that others would find. */
  boolean isOpen() {
    return open() != null;
  }

  /** Where a series is counted; null for the heap. Any thread. */
  @Nullable CrashSeries series(SeriesDefinition definition, long nowMillis) {
    CrashFile present = file;
    return present == null ? null : present.series(definition, nowMillis);
  }

  /** The process lives. */
  void alive(long nowMillis, StateLog log) {
    CrashFile present = open();
    if (present != null) {
      present.alive(nowMillis);
      if (present.isClosed()) {
        log.always(
            Level.WARNING,
            "goes on without a crash file: its lock was lost, so others would have counted what"
                + " this process delivers");
      }
      if (present.isFull() && !wasFull) {
        log.always(
            Level.WARNING,
            present.path()
                + " is full: from now on values of new series, or of new magnitudes, are lost if"
                + " this process is killed; give the client or the folder more room");
      }
      wasFull = present.isFull();
    }
  }

  /**
   * A series was harvested. Of many values that wait the file must say more than fits its counters;
   * without room for that nobody could tell them from fewer.
   */
  void harvested(OutgoingSeries series, StateLog log) {
    CrashFile present = open();
    CrashSeries kept = series.source().crashSeries();
    if (present == null || kept == null) {
      return;
    }
    Accumulation begun = series.hasBegun() ? series.begun() : null;
    Accumulation waiting = series.isWaiting() ? series.waiting() : null;
    if (countOf(begun) + countOf(waiting) < CrashSeries.CARRIED_FROM) {
      return;
    }
    PagedCounts none = new PagedCounts(series.definition().layout());
    PagedCounts ofBegun = begun == null ? none : begun.counts();
    PagedCounts ofWaiting = waiting == null ? none : waiting.counts();
    if (!present.carry(kept, ofBegun, ofWaiting) || !present.carry(kept, ofWaiting, ofBegun)) {
      log.always(
          Level.WARNING,
          "goes on without a crash file: it has no room to say how much of "
              + series.definition().key()
              + " waits");
      present.close();
    }
  }

  private static long countOf(@Nullable Accumulation counts) {
    return counts == null ? 0 : counts.count();
  }

  /** The longest frame that can be kept, of those that the sidecar takes. */
  int longestFrame(int bodyBytes) {
    CrashFile present = open();
    return present == null ? bodyBytes : Math.min(bodyBytes, present.longestFrame());
  }

  /** The most buckets of a frame. */
  int mostBuckets() {
    CrashFile present = open();
    return present == null ? Integer.MAX_VALUE : present.mostBuckets();
  }

  /**
   * These frames are made, and will be sent.
   *
   * @return how many of them, from the first on. There is no room for the others before those in
   *     the file are settled: they must not be sent, and be made again.
   */
  int framed(IntervalFramer framer, Accumulation counts, List<InFlight.EncodedInterval> intervals) {
    CrashFile present = open();
    if (present == null) {
      return intervals.size();
    }
    OutgoingSeries series = intervals.get(0).series();
    CrashSeries kept = series.source().crashSeries();
    if (kept == null) {
      intervals.forEach(interval -> present.numbered(interval.sequence()));
      return intervals.size();
    }
    int fitting = fitting(present, intervals);
    for (int i = 0; i < fitting; i++) {
      boolean isLast = i == intervals.size() - 1;
      InFlight.EncodedInterval interval = intervals.get(i);
      present.frame(
          kept,
          counts.counts(),
          framer.fromIndex(i),
          framer.toIndex(i),
          framer.sumLow(i, counts),
          interval.sequence(),
          interval.frame(),
          isLast ? series.endMillis() : series.startMillis());
    }
    return fitting;
  }

  /**
   * Intervals from this number on are not on their way after all, as something has failed, and what
   * they hold is going to be framed anew. If the file says of one that it is, it is of no use.
   */
  void failed(long sequence, Throwable failure, StateLog log) {
    CrashFile present = open();
    if (present != null && present.isTaken(sequence)) {
      giveUp(present, failure, log);
    }
  }

  private static void giveUp(CrashFile file, Throwable failure, StateLog log) {
    file.close(); // First, as there may be no memory for more.
    log.always(Level.WARNING, "goes on without a crash file: " + failure);
  }

  /** All or none, unless there will never be room for all at once. */
  private static int fitting(CrashFile file, List<InFlight.EncodedInterval> intervals) {
    int fitting = 0;
    int bytes = 0;
    for (InFlight.EncodedInterval interval : intervals) {
      bytes += file.entryBytes(interval.frame().remaining());
      fitting += file.hasRoom(bytes) ? 1 : 0;
    }
    return fitting == intervals.size() || !file.canHold(bytes) ? fitting : 0;
  }

  /** What was harvested of a series is in no interval, and lost. */
  void lost(OutgoingSeries series, Accumulation counts, StateLog log) {
    CrashFile present = open();
    CrashSeries kept = series.source().crashSeries();
    if (kept != null && present != null) {
      try {
        kept.forget(counts);
      } catch (RuntimeException | Error e) {
        giveUp(present, e, log); // A part of them may be forgotten.
        throw e;
      }
    }
  }

  /** All intervals up to this number are settled. */
  void settled(long sequence) {
    CrashFile present = open();
    if (present != null) {
      present.settled(sequence);
    }
  }

  /** Intervals of these numbers will never be sent again. */
  void forget(LongPredicate sequences) {
    CrashFile present = open();
    if (present != null) {
      present.forget(sequences);
    }
  }

  /** What an interval holds waits again, and will be framed anew. */
  void takenBack(InFlight.EncodedInterval interval, SparseCounts counts, ExactSum sum) {
    CrashFile present = open();
    CrashSeries kept = interval.series().source().crashSeries();
    if (present != null && kept != null) {
      present.takeBack(kept, counts, sum, interval.sequence());
    }
  }

  /** Goes on under another id; if that cannot be written down, without the file. */
  void startOver(InstanceId instance, SendConfig config, StateLog log) {
    CrashFile present = open();
    if (present != null) {
      try {
        present.startOver(instance, config.commonLabels());
      } catch (IOException | RuntimeException | Error e) {
        giveUp(present, e, log);
      }
    }
  }

  /** All is delivered: nothing is left to find. */
  void close() {
    CrashFile present = open();
    if (present != null) {
      present.close();
    }
  }

  @Override
  public String toString() {
    return String.valueOf(file == null ? null : file.path());
  }
}
