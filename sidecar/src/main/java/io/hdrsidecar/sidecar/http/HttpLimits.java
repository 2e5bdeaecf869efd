package io.hdrsidecar.sidecar.http;

import java.time.Duration;

/**
 * What those who ask may cost.
 *
 * @param maxConnections most connections at a time, 1 or more
 * @param maxHeaderBytes longest request line, and most bytes of headers, 1 KiB or more
 * @param headerTimeout how long a new connection may take until its first request is read up to the
 *     end of its headers, 1 s or more
 * @param requestTimeout how long a request may take from there until its answer is sent, 1 s or
 *     more; this is what ends those who send a body, or read an answer, byte by byte
 * @param idleTimeout how long a connection may wait, after an answer, for its next request to be
 *     read up to the end of its headers, 1 s or more
 * @param maxSelectedSeries most series one query may look at, 1 or more
 * @param maxStreams most live streams at a time, 0 or more
 */
public record HttpLimits(
    int maxConnections,
    int maxHeaderBytes,
    Duration headerTimeout,
    Duration requestTimeout,
    Duration idleTimeout,
    int maxSelectedSeries,
    int maxStreams) {
  private static final int DEFAULT_STREAMS = 64;
  private static final int MIN_HEADER_BYTES = 1024;

  /** Checks the ranges; throws IllegalArgumentException. */
  public HttpLimits {
    if (maxConnections < 1 || maxSelectedSeries < 1) {
      throw new IllegalArgumentException(
          "maxConnections and maxSelectedSeries must be at least 1: "
              + maxConnections
              + ", "
              + maxSelectedSeries);
    }
    if (maxStreams < 0) {
      throw new IllegalArgumentException("maxStreams must be at least 0: " + maxStreams);
    }
    if (maxHeaderBytes < MIN_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "maxHeaderBytes must be at least " + MIN_HEADER_BYTES + ": " + maxHeaderBytes);
    }
    requireSecond("headerTimeout", headerTimeout);
    requireSecond("requestTimeout", requestTimeout);
    requireSecond("idleTimeout", idleTimeout);
  }

  /** With the default number of live streams. */
  public HttpLimits(
      int maxConnections,
      int maxHeaderBytes,
      Duration headerTimeout,
      Duration requestTimeout,
      Duration idleTimeout,
      int maxSelectedSeries) {
    this(
        maxConnections,
        maxHeaderBytes,
        headerTimeout,
        requestTimeout,
        idleTimeout,
        maxSelectedSeries,
        DEFAULT_STREAMS);
  }

  private static void requireSecond(String name, Duration value) {
    if (value.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(name + " must be at least 1s: " + value);
    }
  }

  /** What {@code serve} uses unless told otherwise. */
  public static HttpLimits defaults() {
    return new HttpLimits(
        256,
        16 * 1024,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(120),
        10_000);
  }
}
