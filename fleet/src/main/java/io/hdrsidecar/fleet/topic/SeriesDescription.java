package io.hdrsidecar.fleet.topic;

import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.WireText;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * What is said once about a series, as the value of a record of the compacted topic. Intervals are
 * merged without it. Big endian:
 *
 * <pre>
 * 0  uint8   version of this layout, 1
 * 1  int64   highest trackable value
 * 9  string  help
 * </pre>
 *
 * <p>Bytes behind that belong to a later version and are skipped.
 *
 * @param help one line for the reader of the metric; may be empty
 * @param highestTrackableValue larger values count as this one
 */
public record SeriesDescription(String help, long highestTrackableValue) {
  private static final int VERSION = 1;

  /** As bytes. */
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    out.write(VERSION);
    out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(highestTrackableValue).array());
    WireText.write(help, out);
    return out.toByteArray();
  }

  /**
   * Reads a value.
   *
   * @throws MalformedRecordException when it is not one, or of a later version
   */
  public static SeriesDescription read(byte[] bytes) throws MalformedRecordException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int version = in.get() & 0xff;
      if (version != VERSION) {
        throw new MalformedRecordException(
            "description must have version " + VERSION + ": " + version);
      }
      long highest = in.getLong();
      return new SeriesDescription(WireText.string(in), highest);
    } catch (BufferUnderflowException e) {
      throw new MalformedRecordException(
          "description ends early, after " + bytes.length + " bytes");
    } catch (MalformedFrameException e) {
      throw new MalformedRecordException("description is damaged: " + e.getMessage());
    }
  }
}
