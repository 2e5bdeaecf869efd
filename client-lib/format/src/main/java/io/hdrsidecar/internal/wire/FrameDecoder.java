package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Reads frames from a heap buffer as their bytes arrive. Nothing is allocated for INTERVAL frames.
 *
 * <p>Call {@link #next} until it returns false; after true, ask {@link #type} and read the body.
 * Any {@link MalformedFrameException} from {@code next} means that the byte stream can no longer be
 * trusted and the connection must end; one from reading a body concerns that frame alone. One
 * thread at a time.
 */
public final class FrameDecoder {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final int MOST_BODY_BYTES = 1 << 30;

  private final CRC32C crc = new CRC32C();
  private final int maxBodyBytes;
  private ByteBuffer frame = NOTHING;
  private FrameType type = FrameType.GOODBYE;
  private int bodyOffset;
  private int bodyLength;

  /**
   * A decoder that refuses longer bodies before it waits for them.
   *
   * @param maxBodyBytes longest body, in bytes; 0 to 1 GiB
   * @throws IllegalArgumentException for another length
   */
  public FrameDecoder(int maxBodyBytes) {
    if (maxBodyBytes < 0 || maxBodyBytes > MOST_BODY_BYTES) {
      throw new IllegalArgumentException(
          "longest body must have 0.." + MOST_BODY_BYTES + " bytes: " + maxBodyBytes);
    }
    this.maxBodyBytes = maxBodyBytes;
  }

  /**
   * Steps over the next frame if all of it has arrived.
   *
   * @param in array-backed, big endian, from the first unread byte (position) to the last (limit);
   *     its position moves past the frame
   * @return whether there was a whole frame
   * @throws MalformedFrameException when header, length or checksum are wrong
   */
  public boolean next(ByteBuffer in) throws MalformedFrameException {
    if (in.remaining() < FrameHeader.BYTES) {
      return false;
    }
    int start = in.position();
    int length = bodyLengthChecked(in, start);
    int whole = FrameHeader.BYTES + length + FrameHeader.TRAILER_BYTES;
    if (in.remaining() < whole) {
      return false;
    }
    int crcOffset = start + FrameHeader.BYTES + length;
    int expected = in.getInt(crcOffset);
    int actual = FrameHeader.crcOf(crc, in, start, FrameHeader.BYTES + length);
    if (actual != expected) {
      throw new MalformedFrameException(
          RejectReason.BAD_CRC,
          String.format("frame says CRC-32C %08x, its bytes give %08x", expected, actual));
    }
    frame = in;
    type = FrameType.ofCode(in.get(start + 4) & 0xff);
    bodyOffset = start + FrameHeader.BYTES;
    bodyLength = length;
    in.position(start + whole);
    return true;
  }

  /**
   * How many bytes the frame at the position needs in all, once its header is there.
   *
   * @return 0 while the header has not arrived
   * @throws MalformedFrameException when the header is wrong
   */
  public int bytesNeeded(ByteBuffer in) throws MalformedFrameException {
    return in.remaining() < FrameHeader.BYTES
        ? 0
        : FrameHeader.BYTES + bodyLengthChecked(in, in.position()) + FrameHeader.TRAILER_BYTES;
  }

  private int bodyLengthChecked(ByteBuffer in, int start) throws MalformedFrameException {
    int check = in.getShort(start + 6) & 0xffff;
    if (check != FrameHeader.check(crc, in, start) || in.get(start + 5) != 0) {
      throw new MalformedFrameException(
          RejectReason.BAD_HEADER,
          String.format(
              "not a frame header: %08x %08x; is the peer a client of hdr-sidecar?",
              in.getInt(start), in.getInt(start + 4)));
    }
    int length = in.getInt(start);
    if (length < 0 || length > maxBodyBytes) {
      throw new MalformedFrameException(
          RejectReason.FRAME_TOO_LARGE,
          "body must have at most " + maxBodyBytes + " bytes: " + Integer.toUnsignedString(length));
    }
    return length;
  }

  /** Refers no more to the buffer of the frame stepped over last, nor can that be read. */
  public void forget() {
    frame = NOTHING;
  }

  /** Type of the frame stepped over last. */
  public FrameType type() {
    return type;
  }

  /**
   * The INTERVAL stepped over last; {@code target} stays valid while the buffer keeps its bytes.
   *
   * @throws MalformedFrameException when the body is too short for its figures or payload
   */
  public void interval(IntervalFrame target) throws MalformedFrameException {
    target.read(frame, bodyOffset, bodyLength);
  }

  /**
   * The frame stepped over last, which is not an INTERVAL.
   *
   * @throws MalformedFrameException when the body is not what its type says
   */
  public Frame frame() throws MalformedFrameException {
    ByteBuffer body = frame.duplicate();
    body.limit(bodyOffset + bodyLength).position(bodyOffset);
    try {
      return switch (type) {
        case HELLO -> hello(body);
        case WELCOME -> welcome(body);
        case SERIES -> series(body);
        case ACK -> new Frame.Ack(sequence(body));
        case REJECT -> reject(body);
        case GOODBYE -> new Frame.Goodbye();
        case HEALTH -> health(body);
        case INTERVAL -> throw new IllegalStateException("INTERVAL is read by interval()");
      };
    } catch (BufferUnderflowException e) {
      throw new MalformedFrameException(
          RejectReason.BAD_FRAME,
          "body of " + type + " ends early, after " + bodyLength + " bytes");
    }
  }

  private static Frame.Hello hello(ByteBuffer body) throws MalformedFrameException {
    int magic = body.getInt();
    if (magic != FrameEncoder.MAGIC) {
      throw new MalformedFrameException(
          RejectReason.BAD_MAGIC,
          String.format("HELLO must start with %08x: %08x", FrameEncoder.MAGIC, magic));
    }
    int version = body.getShort() & 0xffff;
    if (version != FrameEncoder.VERSION) {
      throw new MalformedFrameException(
          RejectReason.UNSUPPORTED_VERSION,
          "protocol version must be "
              + FrameEncoder.VERSION
              + ": "
              + version
              + "; use a client and a sidecar of the same major version");
    }
    InstanceId instance = new InstanceId(body.getLong(), body.getLong());
    Labels commonLabels = WireText.labels(body);
    String token = WireText.string(body);
    Labels resource = body.hasRemaining() ? WireText.labels(body) : null;
    return new Frame.Hello(version, instance, commonLabels, token, resource);
  }

  /** A client acts on these numbers, so a nonsensical one is refused here. */
  private static Frame.Welcome welcome(ByteBuffer body) throws MalformedFrameException {
    int version = body.getShort() & 0xffff;
    long lastSequence = sequence(body);
    int maxBodyBytes = body.getInt();
    int maxInFlight = body.getInt();
    int deflateLevel = body.get();
    if (maxBodyBytes < 1 || maxInFlight < 1 || deflateLevel < 0 || deflateLevel > 9) {
      throw bad(
          RejectReason.BAD_FRAME,
          "WELCOME needs a longest body and a window of 1 or more and a deflate level of 0..9: "
              + maxBodyBytes
              + ", "
              + maxInFlight
              + ", "
              + deflateLevel);
    }
    return new Frame.Welcome(
        version, lastSequence, maxBodyBytes, maxInFlight, deflateLevel, path(body));
  }

  private static List<InstanceId> path(ByteBuffer body) throws MalformedFrameException {
    int length = body.hasRemaining() ? body.get() & 0xff : 0;
    if (length > Frame.Welcome.MAX_PATH) {
      throw bad(
          RejectReason.BAD_FRAME,
          "at most " + Frame.Welcome.MAX_PATH + " sidecars on the way up: " + length);
    }
    List<InstanceId> path = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      path.add(new InstanceId(body.getLong(), body.getLong()));
    }
    return path;
  }

  private static long sequence(ByteBuffer body) throws MalformedFrameException {
    long sequence = body.getLong();
    if (sequence < 0) {
      throw bad(RejectReason.BAD_FRAME, "sequence number must be 0 or more: " + sequence);
    }
    return sequence;
  }

  private static Frame.Series series(ByteBuffer body) throws MalformedFrameException {
    int id = body.getInt();
    int unitCode = body.get();
    int digits = body.get();
    long lowest = body.getLong();
    long highest = body.getLong();
    String name = WireText.string(body);
    String help = WireText.string(body);
    Labels labels = WireText.labels(body);
    Unit unit =
        Unit.ofCode(unitCode)
            .orElseThrow(() -> bad(RejectReason.BAD_SERIES, "unknown unit code: " + unitCode));
    try {
      BucketLayout layout = BucketLayout.of(lowest, digits);
      SeriesKey key = new SeriesKey(name, labels);
      return new Frame.Series(id, new SeriesDefinition(key, unit, help, layout, highest));
    } catch (IllegalArgumentException e) {
      throw bad(RejectReason.BAD_SERIES, String.valueOf(e.getMessage()));
    }
  }

  /** Series id of a SERIES frame whose definition cannot be read, so that it can be refused. */
  public int seriesId() {
    return bodyLength < 4 ? 0 : frame.getInt(bodyOffset);
  }

  /** Sequence number of an INTERVAL frame that cannot be read, so that it can be refused; or 0. */
  public long intervalSequence() {
    return bodyLength < 8 ? 0 : frame.getLong(bodyOffset);
  }

  private static Frame.Reject reject(ByteBuffer body) throws MalformedFrameException {
    Frame.Reject.Scope scope = Frame.Reject.Scope.ofCode(body.get());
    return new Frame.Reject(scope, body.getLong(), body.getShort() & 0xffff, WireText.string(body));
  }

  private static Frame.Health health(ByteBuffer body) throws MalformedFrameException {
    int size = body.getShort() & 0xffff;
    if (size > Frame.Health.MAX_FIGURES) {
      throw bad(
          RejectReason.BAD_FRAME,
          "at most " + Frame.Health.MAX_FIGURES + " figures, but there are " + size);
    }
    Map<String, Long> figures = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = WireText.string(body);
      if (!Frame.Health.NAME.matcher(name).matches()) {
        throw bad(RejectReason.BAD_FRAME, "name of a figure must match " + Frame.Health.NAME);
      }
      figures.put(name, body.getLong());
    }
    return new Frame.Health(figures);
  }

  private static MalformedFrameException bad(RejectReason reason, String message) {
    return new MalformedFrameException(reason, message);
  }
}
