package io.hdrsidecar.fleet.node;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * The key of a step: that of its series, and its start. No key of a series begins with another, as
 * each says how long its parts are; so the steps of a series lie side by side, the earliest first.
 * Big endian:
 *
 * <pre>
 * 0  the key of the series, K bytes
 * K  int64  start, milliseconds since the epoch, 0 or more
 * </pre>
 */
final class StepKey {
  private StepKey() {}

  static Bytes of(byte[] series, long startMillis) {
    return Bytes.wrap(
        ByteBuffer.allocate(series.length + Long.BYTES).put(series).putLong(startMillis).array());
  }

  static long startMillis(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(key.get().length - Long.BYTES);
  }

  static byte[] series(Bytes key) {
    byte[] series = new byte[key.get().length - Long.BYTES];
    System.arraycopy(key.get(), 0, series, 0, series.length);
    return series;
  }
}
