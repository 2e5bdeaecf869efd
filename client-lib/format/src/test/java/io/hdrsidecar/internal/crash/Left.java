package io.hdrsidecar.internal.crash;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What is read of a crash file. Histograms are decoded by HdrHistogram, which has no part in
 * writing them.
 */
final class Left {
  static final SpillLimits LIMITS = SpillLimits.of(1 << 30, 1 << 20, 1 << 20, 1 << 20);
  static final String OTHER_PROCESS =
      "crash-20231114T221320Z-0123456789abcdef000000000000002a-fedcba9876543210.hdr";

  /** An interval. */
  record Interval(
      InstanceId instance, long sequence, String series, IntervalFrame figures, Histogram counts) {
    BigInteger sum() {
      return figures.sumMinMax().sum().toBigInteger();
    }
  }

  final SpillContents contents;
  final List<Interval> intervals = new ArrayList<>();
  final List<ByteBuffer> frames = new ArrayList<>();
  final List<String> tooLarge = new ArrayList<>();
  final List<String> names = new ArrayList<>();
  int mostNames;

  private Left(SpillFile file, SpillLimits limits, long nowMillis) throws IOException {
    this.contents = PickupReader.read(file, limits, nowMillis, new Told());
  }

  static Left read(SpillFile file) throws IOException {
    return new Left(file, LIMITS, CrashRig.NOW + 3_600_000);
  }

  /** Reads an image of a file that another process has left. */
  static Left of(Path folder, byte[] image) throws IOException {
    return of(folder, image, LIMITS);
  }

  static Left of(Path folder, byte[] image, SpillLimits limits) throws IOException {
    Path path = write(folder, image);
    try (SpillClaim claim = new SpillFolder(folder).claim().orElseThrow();
        SpillFile file = claim.open(path)) {
      return new Left(file, limits, CrashRig.NOW + 3_600_000);
    } finally {
      Files.delete(path);
    }
  }

  /** Reads the files that processes have left which are dead now. */
  static List<Left> in(Path folder) throws IOException {
    List<Left> found = new ArrayList<>();
    try (SpillClaim claim = new SpillFolder(folder).claim().orElseThrow()) {
      for (Path path : claim.files()) {
        try (SpillFile file = claim.open(path)) {
          if (file.isLeft()) {
            found.add(read(file));
          }
        }
      }
    }
    return found;
  }

  static Path write(Path folder, byte[] image) throws IOException {
    return Files.write(folder.resolve(OTHER_PROCESS), image);
  }

  List<Long> sequences() {
    return intervals.stream().map(Interval::sequence).toList();
  }

  /** All counts of a series, by the lowest value of their bucket. */
  Map<Long, Long> countsOf(String series) {
    Map<Long, Long> counts = new TreeMap<>();
    for (Interval interval : intervals) {
      if (interval.series().equals(series)) {
        add(interval.counts(), counts);
      }
    }
    return counts;
  }

  static void add(Histogram histogram, Map<Long, Long> counts) {
    histogram
        .recordedValues()
        .forEach(
            value ->
                counts.merge(
                    histogram.lowestEquivalentValue(value.getValueIteratedTo()),
                    value.getCountAtValueIteratedTo(),
                    Long::sum));
  }

  /** What should be there, counted by HdrHistogram. */
  static Map<Long, Long> expected(long... values) {
    Map<Long, Long> counts = new TreeMap<>();
    add(histogram(values), counts);
    return counts;
  }

  static Histogram histogram(long... values) {
    Histogram histogram = new Histogram(1, CrashRig.HIGHEST, 3);
    for (long value : values) {
      histogram.recordValue(value);
    }
    return histogram;
  }

  private final class Told implements SpillVisitor {
    @Override
    public void series(int id, SeriesDefinition definition) {
      if (id == 1) {
        names.clear();
      }
      names.add(definition.key().name());
      mostNames = Math.max(mostNames, names.size());
    }

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {
      IntervalFrame figures = new IntervalFrame();
      FrameDecoder decoder = new FrameDecoder(frame.length);
      try {
        decoder.next(ByteBuffer.wrap(frame));
        decoder.interval(figures);
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
      ByteBuffer payload =
          ByteBuffer.wrap(frame, figures.payloadOffset(), figures.payloadLength()).slice();
      Histogram counts = Histogram.decodeFromByteBuffer(payload, 0);
      if (counts.getTotalCount() != values || sequence != figures.sequence()) {
        throw new AssertionError("another count or number in the frame");
      }
      frames.add(ByteBuffer.wrap(frame));
      intervals.add(new Interval(instance, sequence, names.get(seriesId - 1), figures, counts));
    }

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {
      tooLarge.add(names.get(seriesId - 1) + " " + sequence);
    }
  }
}
