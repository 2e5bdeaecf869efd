package io.hdrsidecar.wire;

import io.hdrsidecar.interval.SparseCounts;
import java.nio.ByteBuffer;

/** Reads the counts behind a {@link PayloadHeader}; every number is checked before it is used. */
final class CountsReader {
  private static final int CONTINUES = 0x80;
  private static final int SEVEN_BITS = 0x7f;

  private CountsReader() {}

  static void read(PayloadHeader header, byte[] source, int start, int end, SparseCounts into)
      throws MalformedFrameException {
    try {
      if (header.wordBytes() == PayloadHeader.VARIABLE) {
        readVariableWords(source, start, end, header.counters(), into);
      } else {
        readWords(header, ByteBuffer.wrap(source, start, end - start), into);
      }
    } catch (ArithmeticException e) {
      throw new MalformedFrameException(
          RejectReason.COUNT_OVERFLOW, "the counts add up to more than 2^63 - 1");
    }
  }

  private static void readVariableWords(
      byte[] source, int start, int end, int counters, SparseCounts into)
      throws MalformedFrameException {
    int position = start;
    int index = 0;
    while (position < end) {
      long word = source[position++];
      if (word < 0) {
        word &= SEVEN_BITS;
        int shift = 7;
        long more;
        do {
          if (position == end) {
            throw bad("the last count is cut off");
          }
          more = source[position++];
          // The ninth byte has no continuation bit: it carries eight bits of the value.
          word |= (shift == 56 ? more : more & SEVEN_BITS) << shift;
          shift += 7;
        } while ((more & CONTINUES) != 0 && shift <= 56);
      }
      long count = (word >>> 1) ^ -(word & 1);
      if (count > 0) {
        if (index >= counters) {
          throw pastRange(counters);
        }
        into.visit(index++, count);
      } else {
        // -2^63 has no opposite: it stays negative.
        long empty = count == 0 ? 1 : -count;
        if (empty < 0 || empty > counters - index) {
          throw pastRange(counters);
        }
        index += (int) empty;
      }
    }
  }

  private static void readWords(PayloadHeader header, ByteBuffer in, SparseCounts into)
      throws MalformedFrameException {
    if (in.remaining() % header.wordBytes() != 0) {
      throw bad(
          in.remaining() + " bytes of counts are no words of " + header.wordBytes() + " bytes");
    }
    for (int index = 0; in.hasRemaining(); index++) {
      long count =
          switch (header.wordBytes()) {
            case 2 -> in.getShort();
            case 4 -> in.getInt();
            default -> in.getLong();
          };
      if (count < 0) {
        throw bad("negative count " + count + " in bucket " + index);
      }
      if (count > 0) {
        if (index >= header.counters()) {
          throw pastRange(header.counters());
        }
        into.visit(index, count);
      }
    }
  }

  private static MalformedFrameException pastRange(int counters) {
    return bad("a count lies past the " + counters + " counters of its configuration");
  }

  private static MalformedFrameException bad(String message) {
    return new MalformedFrameException(RejectReason.BAD_PAYLOAD, message);
  }
}
