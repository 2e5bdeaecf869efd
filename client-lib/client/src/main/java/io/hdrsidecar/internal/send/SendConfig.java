package io.hdrsidecar.internal.send;

import static io.hdrsidecar.internal.text.UserText.shown;

import io.hdrsidecar.series.Labels;
import java.time.Clock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of sampling and sending, checked by the code that builds them.
 *
 * @param address where the sidecar listens
 * @param enabled false: sample and discard, connect nowhere
 * @param interval time between samples
 * @param commonLabels labels that every series has in addition to its own
 * @param token proof that this client may send
 * @param tls files for an address {@code tls://}
 * @param stallTimeout a connection on which an answer is due for so long is given up
 * @param minBackoff first wait before connecting again
 * @param maxBackoff longest wait before connecting again
 * @param spill where what is not delivered by the end goes; null for nowhere
 * @param crash where what is recorded outlives the process; null for nowhere
 * @param clock wall-clock time, for the start and end of intervals
 * @param ticker nanoseconds of a clock that never turns back, for the schedule
 * @param random jitter of the back-off
 */
public record SendConfig(
    SidecarAddress address,
    boolean enabled,
    Duration interval,
    Labels commonLabels,
    TokenSource token,
    TlsFiles tls,
    Duration stallTimeout,
    Duration minBackoff,
    Duration maxBackoff,
    @Nullable SpillConfig spill,
    @Nullable CrashConfig crash,
    Clock clock,
    LongSupplier ticker,
    RandomGenerator random) {
  /** The same for what another instance has left: its labels instead of ours. Another thread's. */
  SendConfig withCommonLabels(Labels labels) {
    return new SendConfig(
        address,
        enabled,
        interval,
        labels,
        token,
        tls,
        stallTimeout,
        minBackoff,
        maxBackoff,
        spill,
        crash,
        clock,
        ticker,
        new SplittableRandom()); // One is for one thread.
  }

  /** Without the token, which belongs in no log. */
  @Override
  public String toString() {
    return "SendConfig[address="
        + address
        + ", enabled="
        + enabled
        + ", interval="
        + shown(interval)
        + "]";
  }
}
