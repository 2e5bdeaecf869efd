package io.hdrsidecar.sidecar.merge;

import java.time.Duration;

/**
 * A client instance that a journal remembers from before a start.
 *
 * @param lastSequence every interval up to this number is settled
 * @param away for how long it had not been heard of, in time that a sidecar was running: what no
 *     setting of a clock changes
 * @param saidGoodbye whether that was its last word
 */
public record RememberedInstance(long lastSequence, Duration away, boolean saidGoodbye) {}
