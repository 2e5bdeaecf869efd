package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way from a frame's bytes to the counts, as often as a second brings them. */
class IntervalReceiverTest {
  private static final InstanceId CLIENT = new InstanceId(1, 2);
  private static final int WARM_UP = 20_000;
  private static final int MEASURED = 10_000;
  private static final int MOST_ROUNDS = 20;

  private final Instant now = Instant.ofEpochSecond(1_700_000_000);
  private final AtomicLong nanoTime = new AtomicLong();
  private final SeriesStore store =
      new SeriesStore(MergeConfig.defaults(), Clock.fixed(now, ZoneOffset.UTC), nanoTime::getPlain);
  private final FrameDecoder decoder = new FrameDecoder(1 << 20);
  private final IntervalFrame frame = new IntervalFrame();

  @ParameterizedTest(name = "{0} buckets, deflate level {1}")
  @CsvSource({"50, 0", "50, 1", "500, 0", "500, 1"})
  void receive_afterWarmUp_allocatesNothing(int buckets, int deflateLevel) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Series series = store.register(FrameClient.definition("x"));
    Registration registered = series.registration(FrameClient.LAYOUT);
    ByteBuffer in = ByteBuffer.wrap(interval(buckets, deflateLevel));
    long merged = WARM_UP;
    try (IntervalReceiver receiver = new IntervalReceiver(new StoreSink(store))) {
      receive(receiver, in, registered, WARM_UP);
      // Once all is compiled, however long that takes here.
      long least = Long.MAX_VALUE;
      int rounds = 0;
      for (; rounds < MOST_ROUNDS && least >= MEASURED; rounds++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        receive(receiver, in, registered, MEASURED);
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least / MEASURED).as("bytes an interval").isZero();
      merged += (long) rounds * MEASURED;
    }
    Distribution total = new Distribution();
    series.readTotal(total);
    assertThat(total.count()).isEqualTo(merged * buckets);
  }

  private byte[] interval(int values, int deflateLevel) {
    Accumulation counted =
        FrameClient.counted(
            FrameClient.LAYOUT, new SplittableRandom(1).longs(values, 1 << 18, 1 << 24).toArray());
    long end = now.toEpochMilli();
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      return new FrameEncoder()
          .interval(
              1,
              1,
              IntervalHeader.of(counted, end - 1_000, end),
              histograms.encode(counted.counts(), FrameClient.HIGHEST, deflateLevel))
          .take();
    }
  }

  private void receive(IntervalReceiver receiver, ByteBuffer in, Registration registered, int times)
      throws Exception {
    for (int i = 0; i < times; i++) {
      nanoTime.setPlain(nanoTime.getPlain() + 500_000_000);
      in.position(0);
      if (!decoder.next(in)) {
        throw new AssertionError("the frame is whole");
      }
      decoder.interval(frame);
      receiver.receive(() -> CLIENT, frame, in, registered);
    }
  }
}
