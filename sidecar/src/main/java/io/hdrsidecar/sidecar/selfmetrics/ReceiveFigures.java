package io.hdrsidecar.sidecar.selfmetrics;

import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Where the figures of receiving can be read; any thread, at any time.
 *
 * @param bytes bytes read from all connections since start
 * @param frames whole frames with a right checksum since start
 * @param duplicates intervals that had been merged before
 * @param connectionsAccepted connections accepted since start
 * @param connections connections open now
 * @param lastSaidGoodbye 1 when the client that left last said goodbye, else 0
 * @param pauses how often a client was not read from until it had read its answers, since start
 * @param instances client instances known now
 * @param healthDroppedFrames HEALTH frames dropped for lack of room since start
 * @param unknownFigures figures of unknown names in HEALTH since start
 * @param lost values lost since start, by reason
 */
public record ReceiveFigures(
    LongSupplier bytes,
    LongSupplier frames,
    LongSupplier duplicates,
    LongSupplier connectionsAccepted,
    LongSupplier connections,
    LongSupplier lastSaidGoodbye,
    LongSupplier pauses,
    LongSupplier instances,
    LongSupplier healthDroppedFrames,
    LongSupplier unknownFigures,
    Map<String, LongSupplier> lost) {
  /** Takes a copy of the map. */
  public ReceiveFigures {
    lost = Map.copyOf(lost);
  }
}
