package io.hdrsidecar.wire;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.SparseCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes HdrHistogram payloads, V0 to V2, raw or compressed, straight into a list of non-zero
 * buckets: no histogram object, no counts array, and after warm-up no allocation.
 *
 * <p>Everything is checked before it costs memory: cookie, digits, range against {@code
 * maxCounters}, declared against possible lengths, every number of the counts, and, which
 * HdrHistogram's own decoder leaves out, the checksum at the end of the deflated stream. One thread
 * at a time; {@link #close} frees the inflater's native memory.
 */
public final class HistogramDecoder implements AutoCloseable {
  /** No deflated stream expands further than this (zlib, technical notes). */
  private static final int MAX_DEFLATE_RATIO = 1032;

  private final int maxCounters;
  private final Inflater inflater = new Inflater();
  private byte[] inflated = new byte[4096];
  private BucketLayout layout = BucketLayout.of(1, 3);

  /**
   * A decoder that refuses configurations with more counters.
   *
   * @param maxCounters most counters that lowest, highest value and digits may need
   */
  public HistogramDecoder(int maxCounters) {
    this.maxCounters = maxCounters;
  }

  /**
   * Decodes one payload.
   *
   * @param into receives the result; on an exception its contents are undefined
   * @throws MalformedFrameException when the bytes are not such a payload, or pass a limit
   */
  public void decode(byte[] source, int offset, int length, DecodedHistogram into)
      throws MalformedFrameException {
    if (length < HistogramEncoding.COMPRESSED_HEADER_BYTES) {
      throw bad("a histogram has at least 8 bytes: " + length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
    switch (HistogramEncoding.base(bytes.getInt(offset))) {
      case HistogramEncoding.V0, HistogramEncoding.V1, HistogramEncoding.V2 ->
          decodeRaw(source, offset, length, into);
      case HistogramEncoding.V0_COMPRESSED,
          HistogramEncoding.V1_COMPRESSED,
          HistogramEncoding.V2_COMPRESSED ->
          decodeCompressed(source, offset, length, into);
      default ->
          throw bad(
              String.format(
                  "no HdrHistogram cookie (1c8493..), is it another kind of histogram? %08x",
                  bytes.getInt(offset)));
    }
  }

  private void decodeRaw(byte[] source, int offset, int length, DecodedHistogram into)
      throws MalformedFrameException {
    Header header = header(source, offset, length);
    into.start(header.layout(), header.highest());
    int start = offset + header.bytes();
    int countsBytes = length - header.bytes();
    if (header.declared() >= 0 && header.declared() != countsBytes) {
      throw bad("counts must have " + header.declared() + " bytes: " + countsBytes);
    }
    readCounts(header, source, start, start + countsBytes, into.counts());
  }

  private void decodeCompressed(byte[] source, int offset, int length, DecodedHistogram into)
      throws MalformedFrameException {
    int available = length - HistogramEncoding.COMPRESSED_HEADER_BYTES;
    int declared = ByteBuffer.wrap(source).getInt(offset + 4);
    if (declared < 0 || declared > available) {
      throw bad("compressed contents must have " + declared + " bytes: " + available);
    }
    inflater.reset();
    inflater.setInput(source, offset + HistogramEncoding.COMPRESSED_HEADER_BYTES, declared);
    try {
      inflateAll(declared, into);
    } catch (DataFormatException e) {
      throw bad("compressed contents are damaged: " + e.getMessage());
    }
  }

  private void inflateAll(int compressedBytes, DecodedHistogram into)
      throws DataFormatException, MalformedFrameException {
    int have = inflate(0, HistogramEncoding.HEADER_BYTES);
    Header header = header(inflated, 0, have);
    int most = (int) Math.min(mostCountsBytes(header), (long) compressedBytes * MAX_DEFLATE_RATIO);
    int wanted = header.declared() >= 0 ? header.declared() : most;
    if (wanted > most) {
      throw bad(
          "counts of this configuration, so compressed, have at most "
              + most
              + " bytes: "
              + wanted);
    }
    int end = header.bytes() + wanted;
    if (inflated.length < end + 1) {
      inflated = Arrays.copyOf(inflated, Math.max(end + 1, inflated.length * 2));
    }
    if (end > have) {
      have += inflate(have, end - have);
    }
    if (header.declared() >= 0 && have < end) {
      throw bad("counts must have " + wanted + " bytes: " + (have - header.bytes()));
    }
    expectEndOfStream(Math.min(have, inflated.length - 1));
    into.start(header.layout(), header.highest());
    readCounts(header, inflated, header.bytes(), Math.min(end, have), into.counts());
  }

  private int inflate(int at, int bytes) throws DataFormatException {
    int done = 0;
    while (done < bytes) {
      int n = inflater.inflate(inflated, at + done, bytes - done);
      if (n == 0) {
        break;
      }
      done += n;
    }
    return done;
  }

  /** Reading past the last byte makes the inflater compare the stream's Adler-32. */
  private void expectEndOfStream(int spareByte)
      throws DataFormatException, MalformedFrameException {
    if (inflate(spareByte, 1) != 0 || !inflater.finished()) {
      throw bad("compressed contents do not end where their counts end");
    }
  }

  private static long mostCountsBytes(Header header) {
    int perCount = header.wordBytes() == 0 ? 9 : header.wordBytes();
    return (long) header.counters() * perCount;
  }

  /** Word size 0 stands for the variable words of V2, declared -1 for a length not told. */
  private record Header(
      BucketLayout layout, long highest, int counters, int bytes, int declared, int wordBytes) {}

  private Header header(byte[] source, int offset, int length) throws MalformedFrameException {
    ByteBuffer in = ByteBuffer.wrap(source, offset, length);
    int cookie = length < 4 ? 0 : in.getInt();
    int base = HistogramEncoding.base(cookie);
    boolean v0 = base == HistogramEncoding.V0;
    if (!v0 && base != HistogramEncoding.V1 && base != HistogramEncoding.V2) {
      throw bad(String.format("no HdrHistogram cookie inside: %08x", cookie));
    }
    int bytes = v0 ? HistogramEncoding.V0_HEADER_BYTES : HistogramEncoding.HEADER_BYTES;
    if (length < bytes) {
      throw bad("header must have " + bytes + " bytes: " + length);
    }
    int declared = v0 ? -1 : in.getInt();
    int normalizing = v0 ? 0 : in.getInt();
    int digits = in.getInt();
    long lowest = in.getLong();
    long highest = in.getLong();
    if (!v0 && (declared < 0 || normalizing != 0 || in.getDouble() != 1.0)) {
      throw bad(
          "only histograms of integers, not shifted, are read: length "
              + declared
              + ", normalizing offset "
              + normalizing);
    }
    BucketLayout payloadLayout = layoutOf(lowest, digits);
    return new Header(
        payloadLayout,
        highest,
        countersChecked(payloadLayout, highest),
        bytes,
        declared,
        base == HistogramEncoding.V2 ? variableWords(cookie) : words(cookie));
  }

  private static int variableWords(int cookie) throws MalformedFrameException {
    if ((cookie & 0xf0) != HistogramEncoding.VARIABLE_WORDS) {
      throw bad(String.format("V2 cookie must be 1c849313: %08x", cookie));
    }
    return 0;
  }

  private static int words(int cookie) throws MalformedFrameException {
    int size = HistogramEncoding.wordBytes(cookie) & 0xe;
    if (size != 2 && size != 4 && size != 8) {
      throw bad("words must have 2, 4 or 8 bytes: " + size);
    }
    return size;
  }

  private BucketLayout layoutOf(long lowest, int digits) throws MalformedFrameException {
    if (layout.lowestDiscernibleValue() != lowest || layout.significantDigits() != digits) {
      try {
        layout = BucketLayout.of(lowest, digits);
      } catch (IllegalArgumentException e) {
        throw bad(String.valueOf(e.getMessage()));
      }
    }
    return layout;
  }

  private int countersChecked(BucketLayout of, long highest) throws MalformedFrameException {
    int counters;
    try {
      counters = of.countersUpTo(highest);
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
    if (counters > maxCounters) {
      throw new MalformedFrameException(
          RejectReason.CONFIGURATION_LIMIT,
          "at most "
              + maxCounters
              + " counters, but "
              + of
              + ",highest="
              + highest
              + " needs "
              + counters
              + "; use fewer significant digits or a smaller range");
    }
    return counters;
  }

  private static void readCounts(
      Header header, byte[] source, int start, int end, SparseCounts into)
      throws MalformedFrameException {
    try {
      if (header.wordBytes() == 0) {
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
        word &= 0x7f;
        int shift = 7;
        long more;
        do {
          if (position == end) {
            throw bad("the last count is cut off");
          }
          more = source[position++];
          // The ninth byte has no continuation bit: it carries eight bits of the value.
          word |= (shift == 56 ? more & 0xff : more & 0x7f) << shift;
          shift += 7;
        } while (more < 0 && shift <= 56);
      }
      long count = (word >>> 1) ^ -(word & 1);
      if (count > 0) {
        if (index >= counters) {
          throw pastRange(counters);
        }
        into.visit(index++, count);
      } else {
        long empty = count == 0 ? 1 : -count;
        if (empty < 0 || empty > counters - index) {
          throw pastRange(counters);
        }
        index += (int) empty;
      }
    }
  }

  private static void readWords(Header header, ByteBuffer in, SparseCounts into)
      throws MalformedFrameException {
    for (int index = 0; in.remaining() >= header.wordBytes(); index++) {
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

  /** Frees the inflater. */
  @Override
  public void close() {
    inflater.end();
  }
}
