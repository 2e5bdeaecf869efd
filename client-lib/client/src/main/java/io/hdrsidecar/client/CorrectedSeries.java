package io.hdrsidecar.client;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.CorrectedRecorder;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.series.Labels;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The corrected series beside a recorder's own: created, and sampled, from its first value on. Any
 * thread, without a lock.
 */
final class CorrectedSeries {
  /** Of the series beside the raw one. */
  static final String LABEL = "corrected";

  private static final String LABEL_VALUE = "expected_interval";

  private final SeriesDefinition definition;
  private final DiscardTime discardTime;
  private final Sampling sampling;
  private final AtomicReference<@Nullable Sampled> sampled = new AtomicReference<>();

  /** A recorder and, unless nobody samples it, what it is sampled as. */
  private record Sampled(CorrectedRecorder recorder, @Nullable IntervalSource source) {}

  CorrectedSeries(SeriesDefinition definition, DiscardTime discardTime, Sampling sampling) {
    this.definition = definition;
    this.discardTime = discardTime;
    this.sampling = sampling;
  }

  /** Key of the corrected series beside one with these labels. */
  static SeriesKey keyOf(String name, Labels labels) {
    return new SeriesKey(name, labels.with(LABEL, LABEL_VALUE));
  }

  /**
   * A series of that key recorded by hand would mix with the corrected one, which needs a place
   * among the labels.
   *
   * @param all the labels of the key and the common ones
   */
  static void refuseLabelsOf(SeriesKey key, Labels all) {
    if (all.size() >= Labels.MAX_LABELS) {
      throw new IllegalArgumentException(
          "at most "
              + (Labels.MAX_LABELS - 1)
              + " labels, common ones included, as the corrected series has one more: "
              + key);
    }
    if (key.labels().get(LABEL).equals(LABEL_VALUE)) {
      throw new IllegalArgumentException(
          "label corrected=\"expected_interval\" is set by recordWithExpectedInterval: " + key);
    }
  }

  void record(long value, long expectedInterval) {
    Sampled present = sampled.get();
    (present == null ? create() : present).recorder().record(value, expectedInterval);
  }

  /** Sampled before it is published, so that a thread that removes it finds it with the sampler. */
  private Sampled create() {
    CorrectedRecorder recorder = newRecorder();
    Sampled created = new Sampled(recorder, sampling.add(definition, recorder, discardTime));
    Sampled winner = sampled.compareAndExchange(null, created);
    if (winner == null) {
      return created;
    }
    stopSampling(created);
    return winner;
  }

  private CorrectedRecorder newRecorder() {
    return new CorrectedRecorder(
        definition.layout(),
        definition.highestTrackableValue(),
        sampling.tally().of(ClientFigure.LOST_BACK_FILL_VALUES));
  }

  /** Values recorded so far are still sampled; later ones go nowhere. */
  void remove() {
    Sampled last = sampled.getAndSet(new Sampled(newRecorder(), null));
    if (last != null) {
      stopSampling(last);
    }
  }

  private void stopSampling(Sampled former) {
    IntervalSource source = former.source();
    if (source != null) {
      sampling.remove(source);
    }
  }
}
