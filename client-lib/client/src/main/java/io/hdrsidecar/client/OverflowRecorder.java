package io.hdrsidecar.client;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a series for which its crash file has no room: recorded on the heap as ever, and
 * sent as intervals of their own of the same series. Created with the first of them. Any thread,
 * without a lock.
 */
final class OverflowRecorder implements LongConsumer {
  private final SeriesDefinition definition;
  private final DiscardTime discardTime;
  private final Sampling sampling;
  private final AtomicReference<@Nullable SampledOverflow> sampled = new AtomicReference<>();

  private record SampledOverflow(SeriesRecorder recorder, IntervalSource source) {}

  OverflowRecorder(SeriesDefinition definition, DiscardTime discardTime, Sampling sampling) {
    this.definition = definition;
    this.discardTime = discardTime;
    this.sampling = sampling;
  }

  @Override
  public void accept(long value) {
    SampledOverflow present = sampled.get();
    (present == null ? create() : present).recorder().record(value);
    sampling.tally().of(ClientFigure.UNPROTECTED_VALUES).increment();
  }

  private SampledOverflow create() {
    SeriesRecorder recorder =
        new SeriesRecorder(definition.layout(), definition.highestTrackableValue());
    SampledOverflow created =
        new SampledOverflow(recorder, sampling.add(definition, recorder, discardTime));
    SampledOverflow winner = sampled.compareAndExchange(null, created);
    if (winner == null) {
      return created;
    }
    sampling.remove(created.source());
    return winner;
  }

  void snapshotInto(Accumulation target) {
    SampledOverflow present = sampled.get();
    if (present != null) {
      present.recorder().snapshotInto(target);
    }
  }

  /** Values recorded so far are still sampled. */
  void remove() {
    SampledOverflow present = sampled.get();
    if (present != null) {
      sampling.remove(present.source());
    }
  }
}
