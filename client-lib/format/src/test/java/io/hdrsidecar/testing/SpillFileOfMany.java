package io.hdrsidecar.testing;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillWriter;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A spill file with intervals of many series in turn, one value each. The interval with number n is
 * of the series {@link #name}.
 */
public final class SpillFileOfMany {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;

  private SpillFileOfMany() {}

  /** Of which series an interval is. */
  public static String name(long sequence, int series) {
    return "series" + sequence % series;
  }

  /** Writes it; all series have these labels. */
  public static Path write(Path folder, Labels labels, int series, int intervals)
      throws IOException, MalformedFrameException {
    Accumulation counts = new Accumulation(LAYOUT);
    SparseCounts values = new SparseCounts();
    values.visit(LAYOUT.indexOf(1000), 1);
    counts.add(values, SumMinMax.of(0, 1000, true, 1000, 1000));
    try (HistogramEncoder histograms = new HistogramEncoder();
        SpillWriter writer =
            SpillWriter.begin(
                new SpillFolder(folder),
                new InstanceId(1, 2),
                Labels.of("pod", "shop-1"),
                Instant.now())) {
      ByteBuffer payload = histograms.encode(counts.counts(), HIGHEST, 0);
      for (int sequence = 1; sequence <= intervals; sequence++) {
        byte[] frame =
            new FrameEncoder()
                .interval(sequence, 1, IntervalHeader.of(counts, 1000, 2000), payload.duplicate())
                .take();
        IntervalFrame interval = new IntervalFrame();
        FrameDecoder decoder = new FrameDecoder(frame.length);
        decoder.next(ByteBuffer.wrap(frame));
        decoder.interval(interval);
        SeriesKey key = new SeriesKey(name(sequence, series), labels);
        writer.interval(
            new SeriesDefinition(key, Unit.NANOSECONDS, "", LAYOUT, HIGHEST),
            interval,
            ByteBuffer.wrap(frame, interval.payloadOffset(), interval.payloadLength()));
      }
      return writer.complete();
    }
  }
}
