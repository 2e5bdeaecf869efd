package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.OtlpMessage.Field;
import io.hdrsidecar.sidecar.otlp.OtlpMessage.Kind;

/**
 * Reads a request to its end before anything of it is counted: one that is damaged in its last byte
 * counts nothing.
 */
final class WireCheck {
  /** Attributes may hold lists of lists. */
  static final int MOST_DEPTH = 32;

  private WireCheck() {}

  /**
   * All of a message, with those in it.
   *
   * @throws MalformedOtlpException when it is damaged, or too deep
   */
  static void require(WireReader reader, OtlpMessage message) throws MalformedOtlpException {
    require(reader, message, 0);
  }

  private static void require(WireReader reader, OtlpMessage message, int depth)
      throws MalformedOtlpException {
    if (depth > MOST_DEPTH) {
      throw new MalformedOtlpException("messages must lie at most " + MOST_DEPTH + " deep");
    }
    while (reader.next()) {
      Field field = message.numbered(reader.field());
      if (field == null || reader.type() != WireReader.BYTES) {
        reader.skip();
      } else if (field.message() != null) {
        require(reader.message(), field.message().get(), depth + 1);
      } else if (field.isRow()) {
        requireRow(reader.message(), field.kind());
      } else {
        reader.skip();
      }
    }
  }

  private static void requireRow(WireReader row, Kind kind) throws MalformedOtlpException {
    while (row.hasMore()) {
      if (kind.wireType() == WireReader.FIXED64) {
        row.fixed64();
      } else {
        row.rawVarint();
      }
    }
  }
}
