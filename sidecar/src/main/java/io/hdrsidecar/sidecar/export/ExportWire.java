package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.merge.Series;
import java.net.http.HttpHeaders;
import java.util.Map;

/**
 * How requests are spelled, and what answers to them mean: OTLP or remote write. One thread at a
 * time.
 */
interface ExportWire {
  /** Headers that say how a body is spelled and packed. */
  Map<String, String> headers();

  /**
   * Forgets what was written, and begins a request.
   *
   * @param isFirst whether it is the first one of a round
   */
  void begin(boolean isFirst, long timeNanos);

  /**
   * Reads a series, and says what is to be remembered of its point. {@link #point} follows, if
   * anything was counted that a point of this temporality tells.
   */
  SentPoint read(Series series, SentPoint before, long timeNanos);

  /** Writes the point of the series that was read last. */
  void point(ExportStream stream, Series series, long timeNanos);

  /** Ends the request. */
  void end();

  /** Bytes of what was written, not packed, and of what it takes to write it. */
  int size();

  /** What was written, as it is sent. */
  byte[] packed();

  /**
   * What an answer says, but for how long to wait.
   *
   * @param body its beginning
   * @param points how many were in the request
   */
  ExportAnswer answer(int status, HttpHeaders headers, byte[] body, int points);
}
