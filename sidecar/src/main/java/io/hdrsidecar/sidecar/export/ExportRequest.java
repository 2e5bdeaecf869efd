package io.hdrsidecar.sidecar.export;

import java.util.List;

/**
 * A request as it is sent, and sent again, byte by byte, until it is known what became of it.
 *
 * @param body as it is sent
 * @param streams those with a point in it
 * @param next where the next request goes on
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record ExportRequest(byte[] body, List<ExportStream> streams, int next) {
  /** Takes a copy of the list. */
  ExportRequest {
    streams = List.copyOf(streams);
  }
}
