package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.receive.SpilledIntervals.NewSeries;
import io.hdrsidecar.sidecar.receive.SpilledIntervals.SpilledInterval;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a file has left, while series come and go. */
class SpilledIntervalsTest {
  private static final InstanceId CLIENT = new InstanceId(1, 2);
  private static final Duration IDLE = Duration.ofSeconds(2);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(2, 2, 100_000, WindowSpec.parseList("10s"), 2048, IDLE), clock, clock);
  private final SpilledIntervals intervals =
      new SpilledIntervals(context(), new SpillCounters("spill"));
  private long sequence;

  private ConnectionContext context() {
    ReceiveLimits limits = ReceiveLimits.defaults();
    ReceiveCounters counters = new ReceiveCounters();
    IngestShares shares = IngestShares.of(HeapBudget.ofThisProcess().share(Use.INGEST), true);
    return new ConnectionContext(
        limits,
        new StoreSink(store),
        new RejectLog(new StoreSink(store)),
        new Instances(10, limits.instanceMemory()),
        new ClientHealthStore(10, shares.clients(), clock, counters),
        counters,
        new IntervalReceiver(new StoreSink(store)),
        IntervalLog.NONE,
        new DurableAnswers(IntervalLog.NONE),
        new FrameRoom(shares),
        shares.clients(),
        new IdBudget(shares.ids(), limits.maxSeriesIds()),
        new IntervalFrame(),
        new FrameEncoder(),
        new ReceiveConfig("127.0.0.1", 0, null, limits).resources(),
        new SidecarPath(),
        clock,
        () -> {});
  }

  /** One value. */
  private SpilledInterval interval(int id) {
    long end = clock.millis();
    sequence++;
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      Accumulation counted = FrameClient.counted(FrameClient.LAYOUT, 5);
      byte[] frame =
          new FrameEncoder()
              .interval(
                  sequence,
                  id,
                  IntervalHeader.of(counted, end - 1_000, end),
                  histograms.encode(counted.counts(), FrameClient.HIGHEST, 0))
              .take();
      return new SpilledInterval(CLIENT, sequence, 1, ByteBuffer.wrap(frame));
    }
  }

  private long count(SeriesDefinition definition) {
    Distribution total = new Distribution();
    store.find(definition.key()).orElseThrow().readTotal(total);
    return total.count();
  }

  private void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      store.expireIdle();
    }
  }

  @Test
  void take_firstSeriesWasForgottenMeanwhile_knowsTheOthersStill() throws Exception {
    SeriesDefinition first = FrameClient.definition("first");
    SeriesDefinition second = FrameClient.definition("second");
    intervals.take(List.of(new NewSeries(1, first), interval(1)));
    pass(IDLE);
    for (int i = 0; i < 5; i++) { // More than are remembered.
      store.register(FrameClient.definition("other" + i));
      pass(IDLE);
    }
    assertThat(store.find(first.key())).isEmpty();
    intervals.take(List.of(new NewSeries(2, second), interval(2)));

    intervals.take(List.of(interval(1), interval(2)));

    assertThat(count(first)).isEqualTo(1);
    assertThat(count(second)).isEqualTo(2);
  }
}
