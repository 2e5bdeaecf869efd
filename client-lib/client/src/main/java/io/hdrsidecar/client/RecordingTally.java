package io.hdrsidecar.client;

import io.hdrsidecar.internal.wire.ClientFigure;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a client's recording side. Any thread. */
final class RecordingTally {
  private final long startSeconds = Instant.now().getEpochSecond();
  private final Map<ClientFigure, LongAdder> counts = new ConcurrentHashMap<>();

  /** The counter of a figure. */
  LongAdder of(ClientFigure figure) {
    return counts.computeIfAbsent(figure, key -> new LongAdder());
  }

  /** All that is counted here. */
  Map<ClientFigure, Long> figures() {
    Map<ClientFigure, Long> figures = new EnumMap<>(ClientFigure.class);
    counts.forEach((figure, count) -> figures.put(figure, count.sum()));
    figures.put(ClientFigure.START_TIME_SECONDS, startSeconds);
    return figures;
  }
}
