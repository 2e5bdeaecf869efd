package io.hdrsidecar.sidecar.receive;

import java.time.Duration;

/**
 * What clients may cost.
 *
 * @param maxBodyBytes longest body of a frame, 4 KiB to 64 MiB; a connection holds at most one
 *     frame and a read's worth of bytes
 * @param maxInFlight most intervals a client may have sent without an answer, 1 or more
 * @param maxConnections most connections at a time, 1 or more
 * @param maxSeriesPerConnection most series ids on a connection, 1 or more
 * @param maxSeriesIds most series ids on all connections together, beyond the first {@value
 *     IdBudget#RESERVED_IDS} of each; 1 or more
 * @param helloTimeout how long a connection may take to say HELLO, 1 s or more
 * @param idleTimeout how long a connection may go without a whole frame, 1 s or more
 * @param maxInstances most disconnected client instances whose last sequence number is remembered,
 *     1 or more; of one address a quarter
 * @param instanceMemory for how long it is remembered, 1 s or more
 */
public record ReceiveLimits(
    int maxBodyBytes,
    int maxInFlight,
    int maxConnections,
    int maxSeriesPerConnection,
    int maxSeriesIds,
    Duration helloTimeout,
    Duration idleTimeout,
    int maxInstances,
    Duration instanceMemory) {
  private static final int MIN_BODY_BYTES = 4 << 10;
  private static final int MAX_BODY_BYTES = 64 << 20;

  /** Checks the ranges; throws IllegalArgumentException. */
  public ReceiveLimits {
    if (maxBodyBytes < MIN_BODY_BYTES || maxBodyBytes > MAX_BODY_BYTES) {
      throw new IllegalArgumentException("maxBodyBytes must be 4KiB..64MiB: " + maxBodyBytes);
    }
    requirePositive("maxInFlight", maxInFlight);
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxSeriesPerConnection", maxSeriesPerConnection);
    requirePositive("maxSeriesIds", maxSeriesIds);
    requirePositive("maxInstances", maxInstances);
    requireSecond("helloTimeout", helloTimeout);
    requireSecond("idleTimeout", idleTimeout);
    requireSecond("instanceMemory", instanceMemory);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }

  private static void requireSecond(String name, Duration value) {
    if (value.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(name + " must be at least 1s: " + value);
    }
  }

  /** The same, with bodies of so many bytes at most, or of the least that is allowed. */
  ReceiveLimits within(long bytes) {
    return new ReceiveLimits(
        (int) Math.max(MIN_BODY_BYTES, Math.min(maxBodyBytes, bytes)),
        maxInFlight,
        maxConnections,
        maxSeriesPerConnection,
        maxSeriesIds,
        helloTimeout,
        idleTimeout,
        maxInstances,
        instanceMemory);
  }

  /** What {@code serve} uses unless told otherwise. */
  public static ReceiveLimits defaults() {
    return new ReceiveLimits(
        1 << 20,
        4096,
        1000,
        1 << 20,
        1 << 21,
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        100_000,
        Duration.ofHours(24));
  }
}
