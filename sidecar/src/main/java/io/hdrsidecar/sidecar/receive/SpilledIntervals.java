package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges the intervals of one spill file like those of a connection: under the instance and the
 * sequence numbers they have, through the same checks, counted by the same reasons. Merge context
 * only.
 */
final class SpilledIntervals {
  /** A step of the file. */
  sealed interface SpillStep {}

  /** A series, before its first interval. */
  record NewSeries(int id, SeriesDefinition definition) implements SpillStep {}

  /** An interval; without a frame if its series is too large to be read. */
  record SpilledInterval(
      InstanceId instance, long sequence, long values, @Nullable ByteBuffer frame)
      implements SpillStep {}

  private final ConnectionContext shared;
  private final SpillCounters counters;
  private final Map<Integer, Destination> series = new HashMap<>();

  /** For a series that ends, and is forgotten, while the file is read. */
  private final Map<Integer, NewSeries> definitions = new HashMap<>();

  /** Kept while the file is worked on, so that nobody forgets it meanwhile. */
  private @Nullable Instance instance;

  SpilledIntervals(ConnectionContext shared, SpillCounters counters) {
    this.shared = shared;
    this.counters = counters;
  }

  /** Takes the next steps, in the order of the file. */
  void take(List<SpillStep> steps) {
    for (SpillStep step : steps) {
      if (step instanceof NewSeries found) {
        if (found.id() == 1) { // A file with many series begins anew.
          series.clear();
          definitions.clear();
        }
        register(found);
      } else if (step instanceof SpilledInterval interval) {
        take(interval);
      }
    }
    Instance known = instance;
    if (known != null) {
      shared.answers().settle(known);
    }
  }

  private void register(NewSeries found) {
    definitions.put(found.id(), found);
    try {
      SeriesDefinition definition = found.definition();
      series.put(found.id(), shared.sink().register(definition, definition.key().labels()));
    } catch (RefusedException e) {
      shared.rejects().count(e.reason(), this::client);
    } catch (NotNowException e) {
      throw waits(e);
    }
  }

  /** An interval that is not merged now is left for the next start. */
  private IllegalStateException waits(NotNowException e) {
    shared.rejects().count(e.reason(), this::client);
    return new IllegalStateException(e.getMessage(), e);
  }

  private void take(SpilledInterval interval) {
    Instance known = sender(interval);
    if (interval.sequence() < 1) {
      refuse(RejectReason.BAD_FRAME, interval.values());
      return;
    }
    if (interval.sequence() <= known.lastSequence()) {
      counters.duplicate();
      shared.counters().duplicate();
      return;
    }
    try {
      merge(known, interval);
      counters.merged();
    } catch (MalformedFrameException e) {
      refuse(e.reason(), interval.values());
    } catch (RefusedException e) {
      refuse(e.reason(), interval.values());
    } catch (NotNowException e) {
      throw waits(e);
    }
    known.settle(interval.sequence());
  }

  /** Nothing of the file is merged if there is no room for the client that left it; it waits. */
  private Instance sender(SpilledInterval interval) {
    Instance known = instance;
    if (known == null) {
      try {
        known = shared.instances().known(interval.instance(), shared.nanoTime().getAsLong());
      } catch (MalformedFrameException e) {
        shared.rejects().count(e.reason(), this::client);
        throw new IllegalStateException(e.getMessage(), e);
      }
      instance = known;
    }
    return known;
  }

  private void merge(Instance known, SpilledInterval interval)
      throws MalformedFrameException, RefusedException, NotNowException {
    ByteBuffer in = interval.frame();
    if (in == null) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT, "the series needs too many counters");
    }
    FrameDecoder decoder = new FrameDecoder(in.remaining());
    decoder.next(in);
    decoder.interval(shared.interval());
    int id = shared.interval().seriesId();
    Destination current = shared.receiver().receive(known, shared.interval(), in, registered(id));
    series.put(id, current);
  }

  private @Nullable Destination registered(int id) {
    Destination registered = series.get(id);
    NewSeries definition = definitions.get(id);
    if (registered != null && registered.isForgotten() && definition != null) {
      series.remove(id);
      register(definition);
      return series.get(id);
    }
    return registered;
  }

  private void refuse(RejectReason reason, long values) {
    counters.refused();
    shared.counters().lost(reason, values);
    shared.rejects().count(reason, this::client);
  }

  /** Nobody is connected; the log lines of files name the file. */
  private RejectedClient client() {
    return new RejectedClient("file", instance == null ? null : instance.id(), Labels.empty());
  }
}
