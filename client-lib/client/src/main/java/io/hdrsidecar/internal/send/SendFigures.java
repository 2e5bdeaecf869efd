package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.Map;

/**
 * What the sending thread counted, as of the end of its last turn. Immutable.
 *
 * @param connected whether a connection stands and is welcomed
 * @param counted every figure, those of the recording side as 0
 * @param pendingValues values in the pending intervals
 * @param inFlightValues values in those in flight
 * @param lostValues values refused for good, or never counted as memory was short, by reason
 * @param spilled what was written to the spill folder at the end
 * @param leftIntervals intervals that a close has left to the spill folder, written or not
 * @param leftValues values in them
 */
public record SendFigures(
    boolean connected,
    Map<ClientFigure, Long> counted,
    long pendingValues,
    long inFlightValues,
    Map<String, Long> lostValues,
    Spilled spilled,
    long leftIntervals,
    long leftValues) {

  /** Before the first turn. */
  public static final SendFigures NONE =
      new SendFigures(false, new SendTally().counts(), 0, 0, Map.of(), Spilled.NOTHING, 0, 0);

  /** One of the figures. */
  public long of(ClientFigure figure) {
    return counted.getOrDefault(figure, 0L);
  }

  /** Intervals here whose delivery is not certain. */
  long waitingIntervals() {
    return of(ClientFigure.PENDING_INTERVALS) + of(ClientFigure.IN_FLIGHT_INTERVALS);
  }

  /** Values here whose delivery is not certain. */
  public long waitingValues() {
    return pendingValues + inFlightValues;
  }

  /** Intervals whose delivery is not certain, also those left to the spill folder. */
  public long undeliveredIntervals() {
    return waitingIntervals() + leftIntervals;
  }

  /** Values whose delivery is not certain, also those left to the spill folder. */
  public long undeliveredValues() {
    return waitingValues() + leftValues;
  }
}
