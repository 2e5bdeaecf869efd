package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.SendFigures;

/**
 * What a sender counted, as of the end of its thread's last turn. Immutable.
 *
 * @param sent the figures that every sender has
 * @param values values that are here and not acknowledged
 * @param frameBytes bytes of the frames that are on their way
 * @param oldestMillis when the oldest value on its way was recorded, at the earliest; 0 for none
 * @param ledgerFailures failed attempts to write down what is to be sent
 * @param loop why there is no connection, if it would lead back here; empty otherwise
 */
record UpstreamFigures(
    SendFigures sent,
    long values,
    long frameBytes,
    long oldestMillis,
    long ledgerFailures,
    String loop) {
  /** Before the first turn. */
  public static final UpstreamFigures NONE = new UpstreamFigures(SendFigures.NONE, 0, 0, 0, 0, "");
}
