package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Damaged frames and payloads give frames and histograms, or a MalformedFrameException. */
final class FramesFuzzIT {
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final int MAX_COUNTERS = 1 << 17;

  /** Room for the inflated counts and the sparse ones, grown by doubling, and for messages. */
  private static final long MOST_BYTES_TAKEN = 4L * MAX_COUNTERS * (9 + 12);

  private final Mutator mutator = new Mutator();
  private final byte[] stream = everyKind();
  private final List<FrameBytes> frames = FrameBytes.readAll(stream, MAX_BODY_BYTES);
  private final List<byte[]> payloads = payloads();
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static byte[] everyKind() {
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey("checkout", Labels.of("route", "/pay")),
            Unit.NANOSECONDS,
            "Time to pay.",
            BucketLayout.of(1, 3),
            3_600_000_000_000L);
    Accumulation counted = new Accumulation(definition.layout());
    counted.counts().add(definition.layout().indexOf(77), 1);
    counted.sum().add(77);
    counted.widen(77, 77);
    return new FrameEncoder()
        .hello(new Frame.Hello(1, new InstanceId(-1, 7), Labels.of("service", "shop"), "secret"))
        .welcome(new Frame.Welcome(1, Long.MAX_VALUE, 1 << 20, 64, 1))
        .series(1, definition)
        .interval(1, 1, IntervalHeader.of(counted, 1000, 2000), ByteBuffer.wrap(new byte[3]))
        .ack(77)
        .reject(Frame.Reject.Scope.SERIES, 9, RejectReason.BAD_SERIES, "é\ud83d\ude00")
        .health(Map.of("pending_intervals", 0L))
        .goodbye()
        .take();
  }

  private static List<byte[]> payloads() {
    List<byte[]> payloads = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int digits = 0; digits <= 3; digits++) {
      for (int values : new int[] {0, 1, 50, 3000}) {
        Histogram histogram = new Histogram(1L << (digits * 4), 1L << 40, digits);
        random
            .longs(values, 0, 1L << 40)
            .forEach(value -> histogram.recordValueWithCount(value, 1 + (value & 1023)));
        ByteBuffer raw = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        payloads.add(Arrays.copyOf(raw.array(), histogram.encodeIntoByteBuffer(raw)));
      }
    }
    return payloads;
  }

  /** Frames one after another, bodies that a hostile sender has sealed well, payloads alone. */
  @Test
  void decode_damagedFramesAndPayloads_giveAResultOrATypedErrorWithinMemory() {
    try (HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS, new StreamInflater())) {
      DecodedHistogram decoded = new DecodedHistogram();
      Fuzz.run(
          "frames",
          (random, tally) -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            tally.add(
                switch (random.nextInt(3)) {
                  case 0 -> readsAll(mutator.damaged(stream, random));
                  case 1 -> readsAll(sealed(random));
                  default -> decodes(decoder, payload(random), decoded);
                });
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .isLessThan(MOST_BYTES_TAKEN);
          });
    }
  }

  private byte[] sealed(SplittableRandom random) {
    FrameBytes frame = frames.get(random.nextInt(frames.size()));
    return new FrameBytes(random.nextInt(1, 9), mutator.damaged(frame.body(), random)).sealed();
  }

  private static boolean readsAll(byte[] bytes) {
    FrameDecoder decoder = new FrameDecoder(MAX_BODY_BYTES);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    IntervalFrame interval = new IntervalFrame();
    try {
      while (decoder.next(in)) {
        if (decoder.type() == FrameType.INTERVAL) {
          decoder.interval(interval);
          assertThat(interval.payloadOffset() + interval.payloadLength())
              .isLessThanOrEqualTo(in.position());
        } else {
          assertThat(decoder.frame()).isNotNull();
        }
      }
      return true;
    } catch (MalformedFrameException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return false;
    }
  }

  /** Damages outside the deflated stream, in it, and before it was made, where no checksum sees. */
  private byte[] payload(SplittableRandom random) {
    byte[] raw = payloads.get(random.nextInt(payloads.size()));
    return switch (random.nextInt(4)) {
      case 0 -> mutator.damaged(raw, random);
      case 1 -> mutator.damaged(deflated(raw, false), random);
      case 2 -> deflated(mutator.damaged(raw, random), false);
      default -> mutator.damaged(deflated(raw, true), random);
    };
  }

  /**
   * The compressed form of V2.
   *
   * @param likeDotNet with a zlib header of its own and no checksum, as HdrHistogram.NET does
   */
  private static byte[] deflated(byte[] raw, boolean likeDotNet) {
    Deflater deflater = new Deflater(6, likeDotNet);
    deflater.setInput(raw);
    deflater.finish();
    byte[] zlib = new byte[raw.length + 100];
    int from = likeDotNet ? 2 : 0;
    zlib[0] = 0x58;
    zlib[1] = (byte) 0x85;
    int length = from + deflater.deflate(zlib, from, zlib.length - from);
    deflater.end();
    return ByteBuffer.allocate(8 + length)
        .putInt(0x1c849314)
        .putInt(length)
        .put(zlib, 0, length)
        .array();
  }

  private static boolean decodes(
      HistogramDecoder decoder, byte[] payload, DecodedHistogram decoded) {
    try {
      decoder.decode(payload, 0, payload.length, decoded);
    } catch (MalformedFrameException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return false;
    }
    int last = -1;
    long total = 0;
    for (int i = 0; i < decoded.counts().size(); i++) {
      assertThat(decoded.counts().indexAt(i)).isGreaterThan(last);
      assertThat(decoded.counts().countAt(i)).isPositive();
      last = decoded.counts().indexAt(i);
      total = Math.addExact(total, decoded.counts().countAt(i));
    }
    assertThat(last).isLessThan(decoded.layout().countersUpTo(decoded.highestTrackableValue()));
    assertThat(total).isEqualTo(decoded.counts().total());
    return true;
  }
}
