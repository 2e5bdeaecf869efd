package io.hdrsidecar.client;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.send.IntervalSender;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** State that the recorders of one client share: their sampler, the discarding, the counts. */
final class Sampling {
  private final IntervalSender sender;
  private final Clock clock;
  private final RecordingTally tally;
  private final DiscardTime discardTime = new DiscardTime();

  Sampling(IntervalSender sender, Clock clock, RecordingTally tally) {
    this.sender = sender;
    this.clock = clock;
    this.tally = tally;
  }

  /**
   * Has values sampled from now on.
   *
   * @param own until when those of this series are discarded
   * @return what {@link #remove} takes
   */
  IntervalSource add(SeriesDefinition definition, IntervalSource values, DiscardTime own) {
    IntervalSource gated =
        new GatedSource(values, clock, own, discardTime, tally.of(ClientFigure.DISCARDED_VALUES));
    sender.add(definition, gated);
    return gated;
  }

  /** Where a series is counted for the reader after a crash; null for nowhere. */
  @Nullable CrashSeries crashSeries(SeriesDefinition definition) {
    return sender.crashSeries(definition);
  }

  /** Has what is left sampled, and no more. */
  void remove(IntervalSource added) {
    sender.remove(added);
  }

  /** Until when the values of all series are discarded. */
  DiscardTime discardTime() {
    return discardTime;
  }

  Clock clock() {
    return clock;
  }

  RecordingTally tally() {
    return tally;
  }
}
