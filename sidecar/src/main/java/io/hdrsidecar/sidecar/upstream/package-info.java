/**
 * Hands on what was merged to another sidecar, of which this one is a client. Input: intervals on
 * their way to the journal, which is followed and, at a start, read from where the last run ended.
 * Output: frames under an instance and numbers of this sidecar's own, delivered as the client's
 * are; with a journal, each stands in the outbox beside it before it is sent.
 */
@NullMarked
package io.hdrsidecar.sidecar.upstream;

import org.jspecify.annotations.NullMarked;
