package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalFramerTest {
  private static final long HIGHEST = 1L << 62;

  @ParameterizedTest(name = "seed={0}, digits={1}, lowest={2}, deflate={3}, body={4}")
  @CsvSource({
    "1, 3, 1, 0, 1024",
    "2, 3, 1, 1, 1024",
    "3, 5, 1, 1, 1024",
    "4, 5, 1000, 6, 4096",
    "5, 0, 1, 0, 1024",
    "6, 2, 1, 9, 1024"
  })
  void frame_whateverTheLimit_addsUpToTheWhole(
      long seed, int digits, long lowest, int deflateLevel, int maxBodyBytes)
      throws MalformedFrameException {
    BucketLayout layout = BucketLayout.of(lowest, digits);
    SeriesRecorder recorder = new SeriesRecorder(layout, HIGHEST);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      recorder.record(random.nextLong(HIGHEST) >>> random.nextInt(62));
    }
    Accumulation whole = new Accumulation(layout);
    recorder.harvestInto(whole);
    OutgoingSeries series =
        new OutgoingSeries(
            7,
            new SeriesDefinition(
                new SeriesKey("a", Labels.empty()), Unit.NANOSECONDS, "", layout, HIGHEST),
            recorder);
    series.startWaiting(whole, 1000, 2000);

    PeerLedger ledger = new PeerLedger();
    try (IntervalFramer framer = new IntervalFramer()) {
      List<InFlight.EncodedInterval> frames =
          framer.frame(series, whole, 11, maxBodyBytes, Integer.MAX_VALUE, deflateLevel);
      for (int i = 0; i < frames.size(); i++) {
        IntervalFrame interval = read(frames.get(i), maxBodyBytes);
        assertThat(interval.sequence()).isEqualTo(11 + i);
        assertThat(interval.seriesId()).isEqualTo(7);
        ledger.merge(series.definition(), interval, frames.get(i).frame().array());
      }
    }

    assertThat(ledger.breaches()).isEmpty();
    Accumulation sum = ledger.merged("a");
    assertThat(sum).isNotNull();
    if (sum != null) {
      assertThat(sum.sum()).isEqualTo(whole.sum());
      assertThat(sum.min()).isEqualTo(whole.min());
      assertThat(sum.max()).isEqualTo(whole.max());
      assertThat(sum.count()).isEqualTo(20_000);
      whole
          .counts()
          .forEach((index, count) -> assertThat(sum.counts().countAt(index)).isEqualTo(count));
    }
  }

  /** The decoder refuses a body longer than the limit. */
  private static IntervalFrame read(InFlight.EncodedInterval interval, int maxBodyBytes)
      throws MalformedFrameException {
    FrameDecoder decoder = new FrameDecoder(maxBodyBytes);
    assertThat(decoder.next(interval.frame().duplicate())).isTrue();
    IntervalFrame frame = new IntervalFrame();
    decoder.interval(frame);
    return frame;
  }
}
