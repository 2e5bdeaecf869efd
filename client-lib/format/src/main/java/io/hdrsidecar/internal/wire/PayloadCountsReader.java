package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.SparseCounts;
import java.nio.ByteBuffer;

/** Reads the counts behind a {@link PayloadHeader}; every number is checked before it is used. */
final class PayloadCountsReader {
  private static final int SEVEN_BITS = 0x7f;

  /** So many numbers of one byte are read between two checks. */
  private static final int BYTES_AT_ONCE = 64;

  /** Of each number of one byte, what it counts in the bucket it stands for, or 0. */
  private static final byte[] COUNT_OF_BYTE = new byte[128];

  /** Of each number of one byte, how many buckets it stands for. */
  private static final byte[] STEP_OF_BYTE = new byte[128];

  static {
    for (int b = 0; b < 128; b++) {
      int number = (b >>> 1) ^ -(b & 1);
      COUNT_OF_BYTE[b] = (byte) Math.max(number, 0);
      STEP_OF_BYTE[b] = (byte) (number < 0 ? -number : 1);
    }
  }

  private PayloadCountsReader() {}

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

  /**
   * Reads the numbers of V2. Nearly all have one byte, and those are read without branches: a table
   * tells count and step of each, and counts and empty buckets take turns as they please, so each
   * is written as a bucket and the next one over it unless it has a count. That the buckets lie
   * within the range is checked behind them: a byte goes at most 64 buckets on, and none of them is
   * used before.
   */
  private static void readVariableWords(
      byte[] source, int start, int end, int counters, SparseCounts into)
      throws MalformedFrameException {
    int position = start;
    int index = 0;
    while (position < end) {
      int bytes = Math.min(end - position, BYTES_AT_ONCE);
      into.reserve(bytes);
      int[] indexes = into.indexes();
      long[] counts = into.counts();
      int size = into.size();
      long counted = 0;
      int stop = position + bytes;
      int b = source[position];
      while (b >= 0) {
        int count = COUNT_OF_BYTE[b];
        indexes[size] = index;
        counts[size] = count;
        size += -count >>> 31; // 1 if it has a count
        counted += count;
        index += STEP_OF_BYTE[b];
        if (++position == stop) {
          break;
        }
        b = source[position];
      }
      into.appended(size, counted);
      if (index > counters) {
        throw pastRange(counters);
      }
      if (b < 0) {
        int length = lengthOfWord(source, position, end);
        index = take(wordAt(source, position, length), index, counters, into);
        position += length;
      }
    }
  }

  /** How many bytes a number of several bytes has. */
  private static int lengthOfWord(byte[] source, int start, int end)
      throws MalformedFrameException {
    int length = 1;
    while (length < HistogramEncoding.MAX_WORD_BYTES && source[start + length - 1] < 0) {
      if (start + length == end) {
        throw bad("the last count is cut off");
      }
      length++;
    }
    return length;
  }

  private static long wordAt(byte[] source, int start, int length) {
    long word = 0;
    for (int i = 0; i < length; i++) {
      long bits = source[start + i];
      // The ninth byte has no continuation bit: it carries eight bits of the value.
      word |= (i == HistogramEncoding.MAX_WORD_BYTES - 1 ? bits : bits & SEVEN_BITS) << (7 * i);
    }
    return word;
  }

  /** Takes one number, a count or a run of empty buckets, and returns the index behind it. */
  private static int take(long word, int index, int counters, SparseCounts into)
      throws MalformedFrameException {
    long count = (word >>> 1) ^ -(word & 1);
    if (count > 0) {
      if (index >= counters) {
        throw pastRange(counters);
      }
      into.visit(index, count);
      return index + 1;
    }
    // -2^63 has no opposite: it stays negative.
    long empty = count == 0 ? 1 : -count;
    if (empty < 0 || empty > counters - index) {
      throw pastRange(counters);
    }
    return index + (int) empty;
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
