package io.hdrsidecar.client;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.IntervalSource;
import java.time.Clock;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets through a source's harvests, but throws away, and counts, those that may hold values from
 * before the discard time. All of it happens at the harvest, nothing on the recording path.
 *
 * <p>A harvest holds what was recorded since the one before, so it is let through when that one was
 * at the discard time or later. The harvest in whose time the discard time falls is thrown away
 * whole: better some values too few than one of the warm-up. A value whose recording is under way
 * at that moment may lose its part of the sum to the discarded harvest, as {@link
 * io.hdrsidecar.internal.record.SeriesRecorder} explains.
 */
final class GatedSource implements IntervalSource {
  private final IntervalSource source;
  private final Clock clock;
  private final DiscardTime own;
  private final DiscardTime ofClient;
  private final LongAdder discarded;
  private long harvestedMillis;
  private @Nullable Accumulation bin;

  GatedSource(
      IntervalSource source,
      Clock clock,
      DiscardTime own,
      DiscardTime ofClient,
      LongAdder discarded) {
    this.source = source;
    this.clock = clock;
    this.own = own;
    this.ofClient = ofClient;
    this.discarded = discarded;
    this.harvestedMillis = clock.millis();
  }

  @Override
  public long harvestInto(Accumulation target) {
    long sinceMillis = harvestedMillis;
    harvestedMillis = clock.millis(); // Before the harvest, so that none of it is older.
    if (own.isAfter(sinceMillis) || ofClient.isAfter(sinceMillis)) {
      discard(target);
      return 0;
    }
    bin = null;
    return source.harvestInto(target);
  }

  private void discard(Accumulation target) {
    Accumulation thrownAway = bin;
    if (thrownAway == null) {
      thrownAway = new Accumulation(target.counts().layout());
      bin = thrownAway;
    }
    discarded.add(source.harvestInto(thrownAway));
    CrashSeries kept = source.crashSeries();
    if (kept != null) {
      kept.forget(thrownAway);
    }
    thrownAway.clear();
  }

  @Override
  public @Nullable CrashSeries crashSeries() {
    return source.crashSeries();
  }

  @Override
  public long clampedNegative() {
    return source.clampedNegative();
  }

  @Override
  public long clampedTooLarge() {
    return source.clampedTooLarge();
  }

  @Override
  public long lostForMemory() {
    return source.lostForMemory();
  }
}
