package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.send.InFlight;
import io.hdrsidecar.internal.send.IntervalFramer;
import io.hdrsidecar.internal.send.IntervalUnframer;
import io.hdrsidecar.internal.send.OutgoingSeries;
import io.hdrsidecar.internal.send.SendTally;
import io.hdrsidecar.internal.send.SeriesRoster;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes frames of batches. What was framed before and never sent is added to what has come of the
 * same series meanwhile, and framed anew under another number: nobody has seen the one it had. So
 * what waits for a sidecar that is away is one interval a series, however long. One thread.
 */
final class UpstreamFraming implements AutoCloseable {
  /** Hardly any interval is longer, and hardly any sidecar takes less. */
  private static final int BODY_BYTES = 64 << 10;

  /** A series of which none of so many batches has anything is forgotten. */
  private static final int BATCHES_IDLE = 90;

  private final SeriesRoster roster;
  private final SendTally tally;
  private final IntervalFramer framer = new IntervalFramer();
  private final Map<SeriesDefinition, OutgoingSeries> known = new HashMap<>();
  private Set<SeriesDefinition> used = new HashSet<>();
  private int batches;
  private int maxBodyBytes = BODY_BYTES;
  private int deflateLevel;

  UpstreamFraming(SeriesRoster roster, SendTally tally) {
    this.roster = roster;
    this.tally = tally;
  }

  /** What is to be framed of one series. */
  private static final class Sources {
    final List<InFlight.EncodedInterval> neverSent = new ArrayList<>();
    final List<UpstreamBatch.SummedSeries> parts = new ArrayList<>();
    boolean waits;
  }

  /** A series whose frames were written down before this process began. */
  OutgoingSeries restored(int id, SeriesDefinition definition) {
    OutgoingSeries before = roster.withId(id);
    if (before != null) {
      return before;
    }
    OutgoingSeries series = roster.handedOn(id, definition);
    known.put(definition, series);
    return series;
  }

  /**
   * Frames what a batch has, and what was never sent. Changes nothing else.
   *
   * @param waiting put back from an instance that is given up
   * @param neverSent framed before
   * @param first number of the first frame
   * @param wished what the sidecar last said that it takes
   */
  List<InFlight.EncodedInterval> frame(
      @Nullable UpstreamBatch batch,
      Iterable<OutgoingSeries> waiting,
      List<InFlight.EncodedInterval> neverSent,
      long first,
      Frame.Welcome wished) {
    deflateLevel = wished.deflateLevel();
    maxBodyBytes = wished.maxBodyBytes() == 0 ? BODY_BYTES : wished.maxBodyBytes();
    maxBodyBytes = Math.min(BODY_BYTES, maxBodyBytes);
    Map<OutgoingSeries, Sources> all = new LinkedHashMap<>();
    waiting.forEach(series -> of(series, all).waits = true);
    neverSent.forEach(interval -> of(interval.series(), all).neverSent.add(interval));
    if (batch != null) {
      batch.parts().forEach(part -> of(series(part.definition()), all).parts.add(part));
    }
    List<InFlight.EncodedInterval> framed = new ArrayList<>();
    all.forEach((series, sources) -> framed.addAll(frame(series, sources, first + framed.size())));
    return framed;
  }

  private static Sources of(OutgoingSeries series, Map<OutgoingSeries, Sources> all) {
    return all.computeIfAbsent(series, absent -> new Sources());
  }

  private OutgoingSeries series(SeriesDefinition definition) {
    used.add(definition);
    return known.computeIfAbsent(definition, roster::handedOn);
  }

  private List<InFlight.EncodedInterval> frame(OutgoingSeries series, Sources sources, long first) {
    if (sources.parts.isEmpty() && !sources.waits && isAsItWas(sources.neverSent, first)) {
      return sources.neverSent;
    }
    if (sources.parts.size() == 1 && !sources.waits && sources.neverSent.isEmpty()) {
      UpstreamBatch.SummedSeries part = sources.parts.get(0);
      return frame(series, part.counts(), part.startMillis(), part.endMillis(), first);
    }
    return joined(series, sources, first);
  }

  private static boolean isAsItWas(List<InFlight.EncodedInterval> intervals, long first) {
    long last = intervals.get(intervals.size() - 1).sequence();
    return intervals.get(0).sequence() == first && last == first + intervals.size() - 1;
  }

  private List<InFlight.EncodedInterval> joined(
      OutgoingSeries series, Sources sources, long first) {
    Accumulation sum = new Accumulation(series.definition().layout());
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    if (sources.waits) {
      sum.add(series.waiting());
      start = series.startMillis();
      end = series.endMillis();
    }
    for (InFlight.EncodedInterval interval : sources.neverSent) {
      IntervalFrame times = IntervalUnframer.addTo(sum, interval);
      start = Math.min(start, times.startMillis());
      end = Math.max(end, times.endMillis());
    }
    for (UpstreamBatch.SummedSeries part : sources.parts) {
      sum.add(part.counts());
      start = Math.min(start, part.startMillis());
      end = Math.max(end, part.endMillis());
    }
    if (!sources.neverSent.isEmpty() && !sources.parts.isEmpty()) {
      tally.count(ClientFigure.JOINED_INTERVALS);
    }
    return frame(series, sum, start, end, first);
  }

  private List<InFlight.EncodedInterval> frame(
      OutgoingSeries series, Accumulation counts, long startMillis, long endMillis, long first) {
    IntervalHeader header = IntervalHeader.of(counts, startMillis, endMillis);
    return framer.frame(
        series, counts, header, first, maxBodyBytes, Integer.MAX_VALUE, deflateLevel);
  }

  /** A batch is done: forgets series that idle, unless a frame of them is on its way. */
  void done(InFlight inFlight) {
    if (++batches % BATCHES_IDLE == 0) {
      Set<SeriesDefinition> kept = used;
      used = new HashSet<>();
      inFlight.all().forEach(interval -> kept.add(interval.series().definition()));
      known
          .entrySet()
          .removeIf(
              entry -> {
                boolean isIdle = !kept.contains(entry.getKey());
                if (isIdle) {
                  roster.forgetHandedOn(entry.getValue());
                }
                return isIdle;
              });
    }
  }

  /** Frees native memory. */
  @Override
  public void close() {
    framer.close();
  }
}
