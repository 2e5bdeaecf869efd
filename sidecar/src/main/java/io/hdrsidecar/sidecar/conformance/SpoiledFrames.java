package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Frames that no sidecar of this version writes: damaged, of later versions, or none at all. */
final class SpoiledFrames {
  private static final int OVERHEAD_BYTES = 12;
  private static final int WELCOME = 2;
  private static final int ACK = 5;
  private static final int REJECT = 6;

  /** What a web server answers. */
  static final byte[] NOT_A_FRAME =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private SpoiledFrames() {}

  /** A frame whose checks are right. */
  static byte[] frame(int type, byte[] body) {
    return frame(type, body, body.length);
  }

  /** One whose header states another length. */
  static byte[] frame(int type, byte[] body, int statedLength) {
    ByteBuffer frame = ByteBuffer.allocate(body.length + OVERHEAD_BYTES);
    frame.putInt(statedLength).put((byte) type).put((byte) 0);
    frame.putShort((short) crc(frame.array(), 6)).put(body);
    frame.putInt((int) crc(frame.array(), frame.position()));
    return frame.array();
  }

  private static long crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  /** A REJECT of any reason, also of one that nobody knows yet. */
  static byte[] reject(Frame.Reject.Scope scope, long reference, int reason, String message) {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(13 + text.length);
    body.put((byte) scope.code()).putLong(reference).putShort((short) reason);
    body.putShort((short) text.length).put(text);
    return frame(REJECT, body.array());
  }

  static byte[] ack(long sequence) {
    return frame(ACK, ByteBuffer.allocate(8).putLong(sequence).array());
  }

  /** One that goes on behind its number. */
  static byte[] longerAck(long sequence) {
    return frame(ACK, ByteBuffer.allocate(20).putLong(sequence).array());
  }

  /** A good WELCOME with a body of a later version. */
  static byte[] longerWelcome(byte[] welcome) {
    byte[] body = Arrays.copyOfRange(welcome, 8, welcome.length - 4);
    ByteBuffer longer = ByteBuffer.allocate(body.length + 1 + 16 + 7);
    longer.put(body).put((byte) 1).putLong(7).putLong(8).put(new byte[] {1, 2, 3, 4, 5, 6, 7});
    return frame(WELCOME, longer.array());
  }

  /** With one bit flipped. */
  static byte[] flipped(byte[] frame, int bit) {
    byte[] damaged = frame.clone();
    damaged[bit / 8] ^= (byte) (1 << (bit % 8));
    return damaged;
  }
}
