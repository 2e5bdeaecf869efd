package io.hdrsidecar.fleet.topic;

import io.hdrsidecar.internal.wire.InstanceId;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Whose interval a record is, as a header of it: {@code instance}, 16 bytes. */
public final class InstanceHeader {
  private static final String NAME = "instance";
  private static final int BYTES = 2 * Long.BYTES;

  private InstanceHeader() {}

  /** Adds it. */
  public static void write(InstanceId instance, Headers headers) {
    byte[] bytes =
        ByteBuffer.allocate(BYTES).putLong(instance.high()).putLong(instance.low()).array();
    headers.add(NAME, bytes);
  }

  /**
   * Reads it.
   *
   * @throws MalformedRecordException when it is not there, or has another length
   */
  public static InstanceId read(Headers headers) throws MalformedRecordException {
    Header header = headers.lastHeader(NAME);
    byte[] value = header == null ? null : header.value();
    if (value == null || value.length != BYTES) {
      throw new MalformedRecordException(
          "header "
              + NAME
              + " must have "
              + BYTES
              + " bytes: "
              + (value == null ? "there is none" : value.length));
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    return new InstanceId(in.getLong(), in.getLong());
  }
}
