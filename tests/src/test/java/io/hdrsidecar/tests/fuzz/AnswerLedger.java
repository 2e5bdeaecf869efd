package io.hdrsidecar.tests.fuzz;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a sidecar has promised, worked out from the bytes of both directions of a connection, with
 * HdrHistogram's decoder and without the product's.
 *
 * <p>An interval is counted if its number is above all before it, WELCOME's included, at or below
 * the last ACK, and not rejected.
 */
final class AnswerLedger {
  private static final int SCOPE_INTERVAL = 2;
  private static final int RAW_COOKIE = 0x1c849313;

  private AnswerLedger() {}

  /** Values in the intervals that the answers say are counted. */
  static long acknowledgedValues(byte[] sent, byte[] answers, int maxBodyBytes)
      throws DataFormatException {
    long settled = Long.MAX_VALUE;
    long acknowledged = 0;
    Set<Long> rejected = new HashSet<>();
    for (FrameBytes answer : FrameBytes.readAll(answers, maxBodyBytes)) {
      switch (answer.type()) {
        case FrameBytes.WELCOME -> settled = answer.number(2, 0);
        case FrameBytes.ACK -> acknowledged = Math.max(acknowledged, answer.number(0, 0));
        case FrameBytes.REJECT -> {
          if (answer.body()[0] == SCOPE_INTERVAL) {
            rejected.add(answer.number(1, 0));
          }
        }
        default -> throw new AssertionError("no frame of a sidecar: " + answer.type());
      }
    }
    long values = 0;
    for (FrameBytes frame : FrameBytes.readAll(sent, maxBodyBytes)) {
      long sequence = frame.number(0, 0);
      if (frame.type() == FrameBytes.INTERVAL && sequence > settled && sequence <= acknowledged) {
        settled = sequence;
        values += rejected.contains(sequence) ? 0 : countOf(frame.payload());
      }
    }
    return values;
  }

  private static long countOf(byte[] payload) throws DataFormatException {
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    Histogram histogram =
        bytes.getInt(0) == RAW_COOKIE
            ? Histogram.decodeFromByteBuffer(bytes, 0)
            : Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    return histogram.getTotalCount();
  }

  /** Whether the conversation went through. */
  static boolean isWithoutRefusal(byte[] answers) {
    List<FrameBytes> frames = FrameBytes.readAll(answers, Integer.MAX_VALUE);
    return !frames.isEmpty() && frames.stream().noneMatch(f -> f.type() == FrameBytes.REJECT);
  }
}
