package io.hdrsidecar.benchmarks.logtools;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * A log of one-second intervals of a service: latencies around a millisecond with a long tail, some
 * hundred to some thousand values a second. A few hundred different histograms come again and
 * again, since deflating a gigabyte of them would take longer than the measurement.
 */
final class LargeLog {
  private static final int DIFFERENT_INTERVALS = 500;
  private static final double START_SECONDS = 1_700_000_000;

  private LargeLog() {}

  /** Writes a log of at least this size; returns the number of its intervals. */
  static long write(Path file, long bytes) throws IOException {
    byte[][] payloads = payloads(new SplittableRandom(1));
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      long written = writeHeader(out);
      long intervals = 0;
      for (; written < bytes; intervals++) {
        byte[] payload = payloads[(int) (intervals % DIFFERENT_INTERVALS)];
        byte[] times =
            String.format(Locale.ROOT, "%d.000,1.000,9.999,", intervals)
                .getBytes(StandardCharsets.US_ASCII);
        out.write(times);
        out.write(payload);
        out.write('\n');
        written += times.length + payload.length + 1;
      }
      return intervals;
    }
  }

  private static int writeHeader(OutputStream out) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    PrintStream lines = new PrintStream(header, true, StandardCharsets.US_ASCII);
    lines.println("#[Histogram log format version 1.3]");
    lines.printf(Locale.ROOT, "#[BaseTime: %.3f (seconds since epoch)]%n", START_SECONDS);
    lines.printf(Locale.ROOT, "#[StartTime: %.3f (seconds since epoch)]%n", START_SECONDS);
    header.writeTo(out);
    return header.size();
  }

  private static byte[][] payloads(SplittableRandom random) {
    byte[][] payloads = new byte[DIFFERENT_INTERVALS][];
    for (int i = 0; i < payloads.length; i++) {
      Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
      int values = random.nextInt(200, 5_000);
      for (int n = 0; n < values; n++) {
        double tail = random.nextInt(100) == 0 ? 20 : 1;
        histogram.recordValue((long) (1e6 * tail * Math.exp(0.5 * normal(random))));
      }
      ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int length = histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_COMPRESSION);
      payloads[i] = Base64.getEncoder().encode(Arrays.copyOf(encoded.array(), length));
    }
    return payloads;
  }

  private static double normal(SplittableRandom random) {
    return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
        * Math.cos(2 * Math.PI * random.nextDouble());
  }
}
