package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.series.Labels;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames, one after another, into a buffer of its own that grows as needed.
 *
 * <p>After warm-up an INTERVAL allocates nothing but what {@link #take} copies out. A method that
 * throws leaves the frames written before as they were. One thread at a time.
 */
public final class FrameEncoder {
  /** "HDRS", the first bytes of every HELLO body. */
  static final int MAGIC = 0x48445253;

  /** The protocol version written here. */
  public static final int VERSION = 1;

  private final CRC32C crc = new CRC32C();
  private ByteBuffer out = ByteBuffer.allocate(1024);
  private int finished;

  /**
   * Who is speaking.
   *
   * @throws IllegalArgumentException when the token has more than 65,535 bytes
   */
  public FrameEncoder hello(Frame.Hello hello) {
    begin(FrameType.HELLO);
    putInt(MAGIC);
    putShort(hello.version());
    putId(hello.instance());
    putLabels(hello.commonLabels());
    putString(hello.token());
    Labels resource = hello.resource();
    if (resource != null) {
      putLabels(resource);
    }
    return end();
  }

  /** The answer to HELLO. */
  public FrameEncoder welcome(Frame.Welcome welcome) {
    begin(FrameType.WELCOME);
    putShort(welcome.version());
    putLong(welcome.lastSequence());
    putInt(welcome.maxBodyBytes());
    putInt(welcome.maxInFlight());
    putByte(welcome.deflateLevel());
    if (!welcome.path().isEmpty()) {
      putByte(welcome.path().size());
      welcome.path().forEach(this::putId);
    }
    return end();
  }

  /** What a series id stands for. */
  public FrameEncoder series(int id, SeriesDefinition definition) {
    begin(FrameType.SERIES);
    putInt(id);
    putByte(definition.unit().code());
    putByte(definition.layout().significantDigits());
    putLong(definition.layout().lowestDiscernibleValue());
    putLong(definition.highestTrackableValue());
    putString(definition.key().name());
    putString(definition.help());
    putLabels(definition.key().labels());
    return end();
  }

  /**
   * One interval. Its figures must agree with the payload, else the sidecar refuses it.
   *
   * @param payload HdrHistogram V2, raw or compressed; read from its position to its limit
   */
  public FrameEncoder interval(
      long sequence, int seriesId, IntervalHeader header, ByteBuffer payload) {
    return interval(sequence, seriesId, header, payload, null);
  }

  /** The same, with the slowest value that has a trace. */
  public FrameEncoder interval(
      long sequence,
      int seriesId,
      IntervalHeader header,
      ByteBuffer payload,
      @Nullable Exemplar exemplar) {
    begin(FrameType.INTERVAL);
    putLong(sequence);
    putInt(seriesId);
    putLong(header.startMillis());
    putLong(header.endMillis());
    putLong(header.count());
    putLong(header.sumMinMax().sum().high());
    putLong(header.sumMinMax().sum().low());
    putLong(header.sumMinMax().min());
    putLong(header.sumMinMax().max());
    putInt(payload.remaining());
    ensure(payload.remaining());
    out.put(payload);
    if (exemplar != null) {
      ensure(ExemplarExtension.bytes(exemplar));
      ExemplarExtension.put(exemplar, out);
    }
    return end();
  }

  /** All intervals up to this one are settled. */
  public FrameEncoder ack(long sequence) {
    begin(FrameType.ACK);
    putLong(sequence);
    return end();
  }

  /** Something is refused. */
  public FrameEncoder reject(
      Frame.Reject.Scope scope, long reference, RejectReason reason, String message) {
    begin(FrameType.REJECT);
    putByte(scope.code());
    putLong(reference);
    putShort(reason.code());
    putString(message.length() <= 512 ? message : message.substring(0, 512));
    return end();
  }

  /** Orderly end. */
  public FrameEncoder goodbye() {
    begin(FrameType.GOODBYE);
    return end();
  }

  /**
   * The client's figures.
   *
   * @throws IllegalArgumentException for more than 64 of them, or a name that does not match {@code
   *     [a-z][a-z0-9_]{0,63}}
   */
  public FrameEncoder health(Map<String, Long> figures) {
    if (figures.size() > Frame.Health.MAX_FIGURES) {
      throw new IllegalArgumentException(
          "at most " + Frame.Health.MAX_FIGURES + " figures: " + figures.size());
    }
    begin(FrameType.HEALTH);
    putShort(figures.size());
    figures.forEach(
        (name, value) -> {
          if (!Frame.Health.NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "name of a figure must match " + Frame.Health.NAME + ": " + name);
          }
          putString(name);
          putLong(value);
        });
    return end();
  }

  /** Bytes of the frames written and not yet taken. */
  public int size() {
    return finished;
  }

  /** Copies out what was written, and starts afresh. */
  public byte[] take() {
    byte[] bytes = Arrays.copyOf(out.array(), finished);
    finished = 0;
    return bytes;
  }

  private void begin(FrameType type) {
    out.position(finished); // Drops what a method that threw had begun.
    ensure(FrameHeader.BYTES);
    out.putInt(0).put((byte) type.code()).put((byte) 0).putShort((short) 0);
  }

  private FrameEncoder end() {
    ensure(FrameHeader.TRAILER_BYTES);
    int end = out.position();
    out.putInt(finished, end - finished - FrameHeader.BYTES);
    out.putShort(finished + 6, (short) FrameHeader.check(crc, out, finished));
    out.putInt(FrameHeader.crcOf(crc, out, finished, end - finished));
    finished = out.position();
    return this;
  }

  private void putByte(int value) {
    ensure(1);
    out.put((byte) value);
  }

  private void putShort(int value) {
    ensure(2);
    out.putShort((short) value);
  }

  private void putInt(int value) {
    ensure(4);
    out.putInt(value);
  }

  private void putLong(long value) {
    ensure(8);
    out.putLong(value);
  }

  private void putId(InstanceId id) {
    putLong(id.high());
    putLong(id.low());
  }

  private void putString(String text) {
    byte[] bytes = WireText.utf8(text);
    putShort(bytes.length);
    ensure(bytes.length);
    out.put(bytes);
  }

  private void putLabels(Labels labels) {
    putShort(labels.size());
    labels.forEach(
        (name, value) -> {
          putString(name);
          putString(value);
        });
  }

  private void ensure(int bytes) {
    if (out.remaining() < bytes) {
      int needed = Math.addExact(out.position(), bytes);
      ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, out.capacity() * 2));
      out = larger.put(out.flip());
    }
  }
}
