package io.hdrsidecar.fleet.topic;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.WireText;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A series of the fleet, as the key of a record. Two keys with the same bytes are the same series.
 * Big endian, strings and labels as PROTOCOL.md draws them:
 *
 * <pre>
 * 0  uint8   version of this layout, 1
 * 1  uint8   unit, as on the wire
 * 2  string  name
 * .  labels  its own labels, and those that are kept of the place where it was recorded
 * </pre>
 *
 * @param unit unit of its values
 * @param key name and labels
 */
public record FleetSeries(Unit unit, SeriesKey key) {
  private static final int VERSION = 1;

  /** Those before the unit. */
  static final int VERSION_BYTES = 1;

  /** As bytes. */
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    out.write(VERSION);
    out.write(unit.code());
    WireText.write(key.name(), out);
    WireText.write(key.labels(), out);
    return out.toByteArray();
  }

  /**
   * Reads a key that was read before it was stored.
   *
   * @throws IllegalStateException when the store is damaged
   */
  public static FleetSeries ofStore(byte[] bytes) {
    try {
      return read(bytes);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a store has a damaged key: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a key.
   *
   * @param bytes as {@link #bytes} gives them: others would be another key of the same series
   * @throws MalformedRecordException when it is not one, or of a later version
   */
  public static FleetSeries read(byte[] bytes) throws MalformedRecordException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int version = in.get() & 0xff;
      if (version != VERSION) {
        throw new MalformedRecordException(
            "key must have version " + VERSION + ": " + version + "; nodes are updated first");
      }
      int code = in.get() & 0xff;
      Unit unit =
          Unit.ofCode(code)
              .orElseThrow(() -> new MalformedRecordException("key has unknown unit " + code));
      String name = WireText.string(in);
      Labels labels = WireText.labels(in);
      if (in.hasRemaining()) {
        throw new MalformedRecordException(
            "key has " + in.remaining() + " bytes behind its labels");
      }
      FleetSeries series = new FleetSeries(unit, new SeriesKey(name, labels));
      if (!Arrays.equals(series.bytes(), bytes)) {
        throw new MalformedRecordException(
            "key must have its labels sorted and none of them empty: " + series.key());
      }
      return series;
    } catch (BufferUnderflowException e) {
      throw new MalformedRecordException("key ends early, after " + bytes.length + " bytes");
    } catch (MalformedFrameException | IllegalArgumentException e) {
      throw new MalformedRecordException("key is damaged: " + e.getMessage());
    }
  }
}
