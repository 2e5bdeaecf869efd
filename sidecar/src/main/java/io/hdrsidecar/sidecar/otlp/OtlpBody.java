package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * All bytes of a body in one array, unpacked if it was packed. A bomb ends at the limit: what it
 * holds is taken from the claim before it is allocated.
 *
 * @param length how many bytes of the array there are
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them, and a list would box.
record OtlpBody(byte[] bytes, int length) {
  private static final int FIRST_BYTES = 16 << 10;

  /** Java's reader calls itself for each empty part of those that may follow each other. */
  private static final class OnePart extends GZIPInputStream {
    private boolean isReading;

    OnePart(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (isReading) {
        throw new ZipException("must be one part");
      }
      isReading = true;
      try {
        return super.read(into, from, length);
      } finally {
        isReading = false;
      }
    }
  }

  /** A body is longer than it may be. */
  static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1;

    TooLargeException(int most) {
      super("a body may have at most " + most + " bytes, unpacked", null, false, false);
    }
  }

  /**
   * Reads it.
   *
   * @param sent as it came
   * @param most bytes that it may have, 1 or more
   * @param claim gets what it takes
   * @throws MalformedOtlpException when it is not packed as it says
   */
  static OtlpBody read(InputStream sent, boolean isGzip, int most, HeapClaim claim)
      throws MalformedOtlpException, TooLargeException {
    try (InputStream in = isGzip ? new OnePart(sent) : sent) {
      byte[] bytes = new byte[0];
      int length = 0;
      while (true) {
        if (length == bytes.length) {
          int more = (int) Math.min(most + 1L, Math.max(FIRST_BYTES, 2L * length));
          claim.grow(HeapShare.arrayCost(more));
          byte[] larger = Arrays.copyOf(bytes, more);
          if (length > 0) {
            claim.shrink(HeapShare.arrayCost(bytes.length));
          }
          bytes = larger;
        }
        int read = in.read(bytes, length, bytes.length - length);
        if (read < 0) {
          if (isGzip && sent.read() >= 0) {
            throw new MalformedOtlpException("gzip: bytes follow its end");
          }
          return new OtlpBody(bytes, length);
        }
        length += read;
        if (length > most) {
          throw new TooLargeException(most);
        }
      }
    } catch (IOException e) {
      throw new MalformedOtlpException("gzip: " + e.getMessage());
    }
  }
}
