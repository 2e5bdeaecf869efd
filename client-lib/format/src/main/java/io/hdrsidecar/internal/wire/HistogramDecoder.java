package io.hdrsidecar.internal.wire;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decodes HdrHistogram payloads, V0 to V2, raw or compressed, straight into a list of non-zero
 * buckets: no histogram object, no counts array, and after warm-up no allocation but a layout that
 * differs from the last payload's.
 *
 * <p>Everything is checked before it costs memory: cookie, digits, range against {@code
 * maxCounters}, declared against possible lengths, and every number of the counts. The deflated
 * stream must end where its counts end, with its Adler-32, on which HdrHistogram's own decoder does
 * not insist. That sum is weak (BitFlipTest finds single bits whose flip it does not notice), so
 * frames carry a CRC-32C as well.
 *
 * <p>What follows a stream or its counts without meaning anything is tolerated: bytes past the
 * declared length, and zeros past the counts. HdrHistogram.NET deflates its whole buffer and ends
 * without Adler-32, behind a zlib header that no other port writes; there, and only there, the
 * checksum may be missing.
 *
 * <p>One thread at a time; {@link #close} frees the inflater's native memory.
 */
public final class HistogramDecoder implements AutoCloseable {
  /** No deflated stream expands further than this (zlib, technical notes). */
  private static final int MAX_DEFLATE_RATIO = 1032;

  /** Room behind the counts, for the inflaters to find the end of the stream. */
  private static final int SPARE_BYTES = WholeInflater.SPARE_BYTES;

  /** CMF and FLG as HdrHistogram.NET writes them (its {@code ByteBufferExtensions.Compress}). */
  private static final int DOTNET_ZLIB_HEADER = 0x5885;

  private final @Nullable WholeInflater wholeStreams;
  private final Inflater inflater = new Inflater();
  private final PayloadHeader header;
  private byte[] inflated = new byte[4096];
  private int inflatedBytes;
  private boolean finished;

  /**
   * A decoder of what PROTOCOL.md and the journal allow: normalizing index offset 0 and ratio 1.
   *
   * @param maxCounters most counters that lowest, highest value and digits may need
   */
  public HistogramDecoder(int maxCounters) {
    this(new PayloadHeader(maxCounters, false), null);
  }

  /**
   * The same decoder, made faster.
   *
   * @param maxCounters most counters that lowest, highest value and digits may need
   * @param wholeStreams is asked first; results and refusals are the same with and without it
   */
  public HistogramDecoder(int maxCounters, WholeInflater wholeStreams) {
    this(new PayloadHeader(maxCounters, false), wholeStreams);
  }

  private HistogramDecoder(PayloadHeader header, @Nullable WholeInflater wholeStreams) {
    this.header = header;
    this.wholeStreams = wholeStreams;
  }

  /**
   * A decoder of what other programs write into logs. Every port writes the counts in the order of
   * their values, whatever the offset says: {@code shiftValuesLeft} of Java moves the place of
   * index 0 in memory only. hdr-histogram-js writes offset 1 and ratio 4.9E-324, hdrhistogram-go up
   * to 1.2.0 offset 1. So both are ignored, as the readers of these ports do.
   *
   * @param maxCounters most counters that lowest, highest value and digits may need
   * @param wholeStreams is asked first, or null for zlib alone
   */
  public static HistogramDecoder ofLogs(int maxCounters, @Nullable WholeInflater wholeStreams) {
    return new HistogramDecoder(new PayloadHeader(maxCounters, true), wholeStreams);
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
    int cookie = PayloadHeader.intAt(source, offset);
    switch (HistogramEncoding.base(cookie)) {
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
                  cookie));
    }
  }

  private void decodeRaw(byte[] source, int offset, int length, DecodedHistogram into)
      throws MalformedFrameException {
    header.read(source, offset, length);
    int available = length - header.bytes();
    int wanted = header.countsBytes() == PayloadHeader.NOT_TOLD ? available : header.countsBytes();
    if (wanted != available) {
      throw bad("counts must have " + wanted + " bytes: " + available);
    }
    int start = offset + header.bytes();
    into.start(header.layout(), header.highest());
    PayloadCountsReader.read(header, source, start, start + wanted, into.counts());
  }

  private void decodeCompressed(byte[] source, int offset, int length, DecodedHistogram into)
      throws MalformedFrameException {
    int start = offset + HistogramEncoding.COMPRESSED_HEADER_BYTES;
    int available = length - HistogramEncoding.COMPRESSED_HEADER_BYTES;
    int declared = PayloadHeader.intAt(source, offset + 4);
    if (declared < 2 || declared > available) {
      throw bad("compressed contents must have " + declared + " bytes: " + available);
    }
    boolean checksumMayMiss = PayloadHeader.shortAt(source, start) == DOTNET_ZLIB_HEADER;
    try {
      beginToInflate(source, start, declared);
      int end = inflateCounts(declared);
      expectSameHeader(PayloadHeader.intAt(source, offset));
      expectEndOfStream(end, checksumMayMiss);
      into.start(header.layout(), header.highest());
      PayloadCountsReader.read(header, inflated, header.bytes(), end, into.counts());
    } catch (DataFormatException e) {
      throw bad("compressed contents are damaged: " + e.getMessage());
    }
  }

  /** Readers that go by the cookie outside would miss where the counts begin. */
  private void expectSameHeader(int cookieOutside) throws MalformedFrameException {
    boolean v0Outside = HistogramEncoding.base(cookieOutside) == HistogramEncoding.V0_COMPRESSED;
    if (v0Outside != (header.bytes() == HistogramEncoding.V0_HEADER_BYTES)) {
      throw bad(
          String.format("compressed contents are of another version than %08x", cookieOutside));
    }
  }

  /**
   * As far as the memory at hand reaches, which for most payloads is all of it. What is not whole
   * and sound then, zlib begins anew: in parts, or to say what is wrong.
   */
  private void beginToInflate(byte[] source, int start, int length) throws DataFormatException {
    inflatedBytes =
        wholeStreams == null
            ? WholeInflater.NOT_INFLATED
            : wholeStreams.inflate(source, start, start + length, inflated);
    finished = inflatedBytes != WholeInflater.NOT_INFLATED;
    if (!finished) {
      inflater.reset();
      inflater.setInput(source, start, length);
      inflatedBytes = 0;
      inflateOn();
    }
  }

  /** Checks the header, takes memory for the counts if needed, and returns where they end. */
  private int inflateCounts(int compressedBytes)
      throws DataFormatException, MalformedFrameException {
    header.read(inflated, 0, inflatedBytes);
    long most = Math.min(header.mostCountsBytes(), (long) compressedBytes * MAX_DEFLATE_RATIO);
    boolean told = header.countsBytes() != PayloadHeader.NOT_TOLD;
    int wanted = told ? header.countsBytes() : (int) most;
    if (wanted > most) {
      throw bad(
          "counts of this configuration, so compressed, have at most "
              + most
              + " bytes: "
              + wanted);
    }
    int end = header.bytes() + wanted;
    if (inflated.length < end + SPARE_BYTES) {
      int length = inflated.length + inflated.length / 4;
      inflated = Arrays.copyOf(inflated, Math.max(end + SPARE_BYTES, length));
      inflateOn();
    }
    if (told && inflatedBytes < end) {
      throw bad("counts must have " + wanted + " bytes: " + (inflatedBytes - header.bytes()));
    }
    return Math.min(end, inflatedBytes);
  }

  /** Fills the buffer behind what was inflated before, as far as there is input. */
  private void inflateOn() throws DataFormatException {
    while (inflatedBytes < inflated.length && !finished) {
      int n = inflater.inflate(inflated, inflatedBytes, inflated.length - inflatedBytes);
      finished = inflater.finished();
      if (n == 0) {
        return;
      }
      inflatedBytes += n;
    }
  }

  /**
   * Reads up to the end of the stream, where the inflater compares the Adler-32. Zeros on the way
   * are an unused rest of the writer's buffer, which has at most nine bytes for each counter.
   */
  private void expectEndOfStream(int end, boolean checksumMayMiss)
      throws DataFormatException, MalformedFrameException {
    long rest = header.mostCountsBytes();
    boolean full;
    do {
      rest -= inflatedBytes - end;
      if (rest < 0 || !isZero(end, inflatedBytes)) {
        throw bad("compressed contents do not end where their counts end");
      }
      full = inflatedBytes == inflated.length;
      inflatedBytes = end;
      if (full) {
        inflateOn();
      }
    } while (full);
    if (!finished && !(checksumMayMiss && inflater.needsInput())) {
      throw bad("compressed contents do not end after their counts");
    }
  }

  private boolean isZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (inflated[i] != 0) {
        return false;
      }
    }
    return true;
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
