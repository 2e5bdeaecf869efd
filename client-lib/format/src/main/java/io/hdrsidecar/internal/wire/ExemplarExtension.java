package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.Exemplar;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The extension of an INTERVAL that carries its exemplar. Big endian, from the start of the
 * extension:
 *
 * <pre>
 *  0     uint8   type, 1
 *  1     uint16  length of what follows
 *  3     int64   value, in the unit of the series
 * 11     int64   when it was recorded, milliseconds since the epoch
 * 19     uint8   length of the trace id, T: 1 to 64
 * 20     T bytes trace id, visible ASCII
 * 20+T   uint8   length of the span id, S: 0 to 32
 * 21+T   S bytes span id, visible ASCII
 * </pre>
 */
public final class ExemplarExtension {
  private static final int TYPE = 1;
  private static final int HEADER_BYTES = 3;
  private static final int FIXED_BYTES = 2 * Long.BYTES + 2;

  private ExemplarExtension() {}

  /** How many bytes an exemplar adds to a body; 0 for none. */
  public static int bytes(@Nullable Exemplar exemplar) {
    return exemplar == null ? 0 : HEADER_BYTES + contents(exemplar);
  }

  private static int contents(Exemplar exemplar) {
    return FIXED_BYTES + exemplar.traceId().length() + exemplar.spanId().length();
  }

  static void put(Exemplar exemplar, ByteBuffer out) {
    out.put((byte) TYPE);
    out.putShort((short) contents(exemplar));
    out.putLong(exemplar.value());
    out.putLong(exemplar.millis());
    putId(exemplar.traceId(), out);
    putId(exemplar.spanId(), out);
  }

  private static void putId(String id, ByteBuffer out) {
    out.put((byte) id.length());
    out.put(id.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Looks for the exemplar among extensions.
   *
   * @return null when there is none, or none as drawn above: an interval is not refused for what
   *     only decorates it
   */
  static @Nullable Exemplar find(ByteBuffer in, int offset, int end) {
    int at = offset;
    while (end - at >= HEADER_BYTES) {
      int contents = at + HEADER_BYTES;
      int length = in.getShort(at + 1) & 0xffff;
      if (length > end - contents) {
        return null;
      }
      if (in.get(at) == TYPE) {
        return read(in, contents, contents + length);
      }
      at = contents + length;
    }
    return null;
  }

  private static @Nullable Exemplar read(ByteBuffer in, int offset, int end) {
    if (end - offset < FIXED_BYTES) {
      return null;
    }
    long value = in.getLong(offset);
    long millis = in.getLong(offset + 8);
    int traceAt = offset + 17;
    int traceBytes = in.get(traceAt - 1) & 0xff;
    int spanAt = traceAt + traceBytes + 1;
    if (spanAt > end || spanAt + (in.get(spanAt - 1) & 0xff) > end) {
      return null;
    }
    String traceId = ascii(in, traceAt, traceBytes);
    String spanId = ascii(in, spanAt, in.get(spanAt - 1) & 0xff);
    return value >= 0 && millis >= 0 && Exemplar.areIds(traceId, spanId)
        ? new Exemplar(value, millis, traceId, spanId)
        : null;
  }

  private static String ascii(ByteBuffer in, int offset, int length) {
    return new String(in.array(), in.arrayOffset() + offset, length, StandardCharsets.ISO_8859_1);
  }
}
