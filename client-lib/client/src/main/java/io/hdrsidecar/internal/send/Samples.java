package io.hdrsidecar.internal.send;

import java.util.function.Consumer;

/** Takes the samples, at the end of each interval, and knows when the next is due. */
final class Samples {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Recorders are emptied this often at least, however long the interval: their counts wrap. */
  private static final long LONGEST_HARVEST_NANOS = 1_000_000_000;

  /** After a close the JVM may end at any time, and with it what is not on its way. */
  private static final long LONGEST_AFTER_CLOSE_NANOS = 50 * NANOS_PER_MILLI;

  private final SendConfig config;
  private final SeriesRoster roster;
  private final PendingIntervals pending;
  private final SendTally tally;
  private final Consumer<OutgoingSeries> afterHarvest;
  private final SampleSchedule schedule;
  private final SampleSchedule harvests;
  private final SampleSchedule afterClose;
  private long sampledMillis;
  private long clampedNegative;
  private long clampedTooLarge;

  /**
   * @param afterHarvest is told of each series that has been harvested, before anything is sent
   */
  Samples(
      SendConfig config,
      SeriesRoster roster,
      PendingIntervals pending,
      SendTally tally,
      long start,
      Consumer<OutgoingSeries> afterHarvest) {
    this.config = config;
    this.roster = roster;
    this.pending = pending;
    this.tally = tally;
    this.afterHarvest = afterHarvest;
    long interval = config.interval().toNanos();
    this.schedule = new SampleSchedule(start, interval);
    this.harvests = new SampleSchedule(start, Math.min(interval, LONGEST_HARVEST_NANOS));
    this.afterClose = new SampleSchedule(start, Math.min(interval, LONGEST_AFTER_CLOSE_NANOS));
    this.sampledMillis = config.clock().millis();
  }

  /** When {@link #takeIfDue} has something to do next. */
  long next(boolean isAfterClose) {
    if (isAfterClose) {
      return afterClose.next();
    }
    return schedule.next() - harvests.next() < 0 ? schedule.next() : harvests.next();
  }

  /** Takes a sample that is due, or empties the recorders, which a long interval needs as well. */
  void takeIfDue(long now, boolean isAfterClose, Runnable afterEach) {
    if (isAfterClose) {
      if (afterClose.isDue(now)) {
        afterClose.advance(now);
        take(afterEach);
      }
      return;
    }
    if (harvests.isDue(now)) {
      harvests.advance(now);
      if (!schedule.isDue(now)) {
        roster.visit(
            series -> {
              pending.gather(series);
              afterHarvest.accept(series);
            });
      }
    }
    if (schedule.isDue(now)) {
      schedule.advance(now);
      take(afterEach);
    }
  }

  /**
   * Ends the interval of each series.
   *
   * @param afterEach what to do after each of them
   */
  void take(Runnable afterEach) {
    long startMillis = sampledMillis;
    long endMillis = config.clock().millis();
    sampledMillis = endMillis;
    roster.sample(
        series -> {
          pending.harvest(series, startMillis, endMillis);
          afterHarvest.accept(series);
          afterEach.run();
        });
    if (!config.enabled()) {
      pending.discard();
    }
    clampedNegative = roster.clampedNegative();
    clampedTooLarge = roster.clampedTooLarge();
    tally.lostForMemory(roster.lostForMemory());
  }

  /** As of the last sample. */
  long clampedNegative() {
    return clampedNegative;
  }

  /** As of the last sample. */
  long clampedTooLarge() {
    return clampedTooLarge;
  }
}
