package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An INTERVAL frame as read: the figures, and where its payload lies. Reused from frame to frame;
 * valid until the next one is read. Body, big endian:
 *
 * <pre>
 *  0  int64   sequence number, 1 or more, increasing within an instance
 *  8  uint32  series id
 * 12  int64   start, milliseconds since the epoch
 * 20  int64   end, not before the start
 * 28  int64   count of values, 1 or more
 * 36  int64   sum of the values, upper 64 bits
 * 44  uint64  sum of the values, lower 64 bits
 * 52  int64   smallest value
 * 60  int64   largest value
 * 68  uint32  length of the payload, P
 * 72  P bytes HdrHistogram V2, raw (cookie 1c849313) or deflated (1c849314)
 * 72+P        extensions: type (1 byte), length (2 bytes), contents; type 1 is an
 *             {@link ExemplarExtension}, unknown types are skipped
 * </pre>
 */
public final class IntervalFrame {
  /** How far a sequence number may be above the last one settled, unless none is. */
  public static final long MAX_SEQUENCE_GAP = 1 << 16;

  /** Bytes before the payload. */
  public static final int FIXED_BYTES = 72;

  private long sequence;
  private int seriesId;
  private long startMillis;
  private long endMillis;
  private long count;
  private final SumMinMax sumMinMax = new SumMinMax();
  private int bodyOffset;
  private int bodyLength;
  private int payloadOffset;
  private int payloadLength;
  private @Nullable Exemplar exemplar;

  /**
   * Reads the body of an INTERVAL frame.
   *
   * @param in big endian, with {@code length} bytes from {@code offset} on
   * @throws MalformedFrameException when it is too short for its figures or payload
   */
  public void read(ByteBuffer in, int offset, int length) throws MalformedFrameException {
    if (length < FIXED_BYTES) {
      throw new MalformedFrameException(
          RejectReason.BAD_FRAME,
          "body of INTERVAL must have at least " + FIXED_BYTES + " bytes: " + length);
    }
    bodyOffset = offset;
    bodyLength = length;
    sequence = in.getLong(offset);
    seriesId = in.getInt(offset + 8);
    startMillis = in.getLong(offset + 12);
    endMillis = in.getLong(offset + 20);
    count = in.getLong(offset + 28);
    sumMinMax.set(
        in.getLong(offset + 36),
        in.getLong(offset + 44),
        /* exact= */ true,
        in.getLong(offset + 52),
        in.getLong(offset + 60));
    payloadOffset = offset + FIXED_BYTES;
    payloadLength = in.getInt(offset + 68);
    if (payloadLength < 0 || payloadLength > length - FIXED_BYTES) {
      throw new MalformedFrameException(
          RejectReason.BAD_FRAME,
          "payload of INTERVAL must fit its body of "
              + length
              + " bytes: "
              + Integer.toUnsignedString(payloadLength));
    }
    exemplar = ExemplarExtension.find(in, payloadOffset + payloadLength, offset + length);
  }

  /** Number of this interval within its instance, 1 or more. */
  public long sequence() {
    return sequence;
  }

  /** Series id of this connection. */
  public int seriesId() {
    return seriesId;
  }

  /** Milliseconds since the epoch, by the client's clock. */
  public long startMillis() {
    return startMillis;
  }

  /** Milliseconds since the epoch, by the client's clock. */
  public long endMillis() {
    return endMillis;
  }

  /** Number of values. */
  public long count() {
    return count;
  }

  /** Sum, minimum and maximum of the values, in the unit of the series. */
  public SumMinMax sumMinMax() {
    return sumMinMax;
  }

  /** Where the body starts in the buffer the frame was read from. */
  public int bodyOffset() {
    return bodyOffset;
  }

  /** Length of the body in bytes. */
  public int bodyLength() {
    return bodyLength;
  }

  /** Where the payload starts in the buffer the frame was read from. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Length of the payload in bytes. */
  public int payloadLength() {
    return payloadLength;
  }

  /** The slowest value that has a trace, if the client sent one. */
  public @Nullable Exemplar exemplar() {
    return exemplar;
  }
}
