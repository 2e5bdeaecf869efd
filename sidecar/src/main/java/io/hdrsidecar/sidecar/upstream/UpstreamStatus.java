package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.Map;

/**
 * How handing on is doing.
 *
 * @param address of the upstream
 * @param connected whether it has welcomed this sidecar
 * @param problem why not, for people, if that is a mistake of the configuration; empty otherwise
 * @param waitingValues values merged here and not acknowledged there
 * @param lagSeconds age of the oldest of them, rounded up; 0 for none
 * @param counted intervals and values, by figure
 * @param lostValues values that it will never have, by reason
 * @param foldedValues values that were handed on without their labels, as memory was short
 * @param outboxFailures failed attempts to write down what is to be sent
 * @param outboxBytes size of that file
 * @param heldBytes memory in use
 * @param missingRecords records that the journal no longer had at the start
 */
public record UpstreamStatus(
    String address,
    boolean connected,
    String problem,
    long waitingValues,
    long lagSeconds,
    Map<ClientFigure, Long> counted,
    Map<String, Long> lostValues,
    long foldedValues,
    long outboxFailures,
    long outboxBytes,
    long heldBytes,
    long missingRecords) {
  /** One of the figures. */
  public long of(ClientFigure figure) {
    return counted.getOrDefault(figure, 0L);
  }

  /** All values that it will never have. */
  public long allLostValues() {
    return lostValues.values().stream().mapToLong(Long::longValue).sum();
  }
}
