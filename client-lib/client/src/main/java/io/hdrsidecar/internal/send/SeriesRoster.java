package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The series that are sampled, and those removed whose last values are still to be taken. */
public final class SeriesRoster {
  /** A thread may be recording while its series is removed: one sample later it is not. */
  private static final int SAMPLES_AFTER_REMOVAL = 2;

  /** Of series whose values are counted elsewhere. */
  private static final IntervalSource NOBODY = target -> 0;

  private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();
  private final Map<Integer, OutgoingSeries> byId = new LinkedHashMap<>();
  private final IdentityHashMap<IntervalSource, OutgoingSeries> bySource = new IdentityHashMap<>();
  private final List<Removed> removed = new ArrayList<>();
  private int lastId;
  private long forgottenNegative;
  private long forgottenTooLarge;
  private long forgottenLost;

  /** Of no series. */
  public SeriesRoster() {}

  private static final class Removed {
    final OutgoingSeries series;
    int samplesLeft = SAMPLES_AFTER_REMOVAL;

    Removed(OutgoingSeries series) {
      this.series = series;
    }
  }

  void add(SeriesDefinition definition, IntervalSource source) {
    OutgoingSeries series = new OutgoingSeries(++lastId, definition, source);
    byId.put(series.id(), series);
    bySource.put(source, series);
  }

  /** A series that nobody samples; under an id that is free. */
  public OutgoingSeries handedOn(SeriesDefinition definition) {
    Integer free = freeIds.poll();
    return handedOn(free == null ? lastId + 1 : free, definition);
  }

  /** The same under the id that it had before this process began. */
  public OutgoingSeries handedOn(int id, SeriesDefinition definition) {
    OutgoingSeries series = new OutgoingSeries(id, definition, NOBODY);
    lastId = Math.max(lastId, id);
    byId.put(id, series);
    return series;
  }

  /** Forgets a series that nobody samples; its id may stand for another from now on. */
  public void forgetHandedOn(OutgoingSeries series) {
    byId.remove(series.id());
    freeIds.add(series.id());
  }

  void remove(IntervalSource source) {
    OutgoingSeries series = bySource.remove(source);
    if (series != null) {
      removed.add(new Removed(series));
    }
  }

  public int size() {
    return byId.size();
  }

  /** The series with this id, unless it is forgotten. */
  public @Nullable OutgoingSeries withId(long id) {
    return id < 1 || id > lastId ? null : byId.get((int) id);
  }

  /** Visits every series for a sample, then forgets those whose last sample this was. */
  void sample(Consumer<OutgoingSeries> sampler) {
    try {
      visit(sampler);
    } finally {
      forgetRemoved();
    }
  }

  /**
   * Visits every series. One whose visit fails keeps no other from its own; the first failure is
   * thrown at the end.
   */
  void visit(Consumer<OutgoingSeries> visitor) {
    RuntimeException failure = null;
    for (OutgoingSeries series : byId.values()) {
      try {
        visitor.accept(series);
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void forgetRemoved() {
    for (Iterator<Removed> iterator = removed.iterator(); iterator.hasNext(); ) {
      Removed candidate = iterator.next();
      if (--candidate.samplesLeft <= 0) {
        iterator.remove();
        forget(candidate.series);
      }
    }
  }

  private void forget(OutgoingSeries series) {
    byId.remove(series.id());
    forgottenNegative += series.source().clampedNegative();
    forgottenTooLarge += series.source().clampedTooLarge();
    forgottenLost += series.source().lostForMemory();
  }

  long clampedNegative() {
    long clamped = forgottenNegative;
    for (OutgoingSeries series : byId.values()) {
      clamped += series.source().clampedNegative();
    }
    return clamped;
  }

  long lostForMemory() {
    long lost = forgottenLost;
    for (OutgoingSeries series : byId.values()) {
      lost += series.source().lostForMemory();
    }
    return lost;
  }

  long clampedTooLarge() {
    long clamped = forgottenTooLarge;
    for (OutgoingSeries series : byId.values()) {
      clamped += series.source().clampedTooLarge();
    }
    return clamped;
  }
}
