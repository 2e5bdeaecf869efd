package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.CorrectedRecorder;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Discarding, with a clock turned by hand. */
class WarmUpTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;
  private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, 1_000_000);
  private final DiscardTime own = new DiscardTime();
  private final DiscardTime ofClient = new DiscardTime();
  private final LongAdder discarded = new LongAdder();
  private final GatedSource gate = new GatedSource(recorder, clock, own, ofClient, discarded);

  private long harvestAt(long millis) {
    now = START.plusMillis(millis);
    Accumulation target = new Accumulation(LAYOUT);
    long moved = gate.harvestInto(target);
    assertThat(moved).isEqualTo(target.count());
    return moved;
  }

  private void record(int values) {
    for (int i = 0; i < values; i++) {
      recorder.record(i);
    }
  }

  @Test
  void harvest_withoutADiscardTime_passesEverything() {
    record(3);

    assertThat(harvestAt(1_000)).isEqualTo(3);
    assertThat(discarded.sum()).isZero();
  }

  @Test
  void harvest_beforeTheDiscardTimeAndAcrossIt_isThrownAwayAndCounted() {
    own.until(START.plusMillis(1_500));
    record(3);
    assertThat(harvestAt(1_000)).isZero();
    record(4);
    assertThat(harvestAt(2_000)).isZero(); // some of the four may be older than 1.5 s
    record(5);

    assertThat(harvestAt(3_000)).isEqualTo(5);
    assertThat(discarded.sum()).isEqualTo(7);
  }

  @Test
  void harvest_startingAtTheDiscardTime_passes() {
    own.until(START.plusMillis(1_000));
    record(3);
    assertThat(harvestAt(1_000)).isZero();
    record(4);

    assertThat(harvestAt(2_000)).isEqualTo(4);
  }

  @Test
  void harvest_withADiscardTimeBetweenMilliseconds_roundsItUp() {
    own.until(START.plusMillis(1_000).plusNanos(1));
    assertThat(harvestAt(1_000)).isZero();
    record(4);

    assertThat(harvestAt(2_000)).isZero();
  }

  @Test
  void harvest_beforeTheDiscardTimeOfTheClient_isThrownAway() {
    ofClient.until(Instant.MAX);
    record(3);
    assertThat(harvestAt(1_000)).isZero();
    ofClient.until(Instant.MIN);
    record(4);

    assertThat(harvestAt(2_000)).isEqualTo(4);
  }

  @Test
  void atLeastUntil_neverShortens() {
    own.until(START.plusMillis(5_000));
    own.atLeastUntil(START);
    record(3);

    assertThat(harvestAt(1_000)).isZero();
  }

  @Test
  void harvest_ofACorrectedSeries_discardsTheBackFillToo() {
    CorrectedRecorder corrected = new CorrectedRecorder(LAYOUT, 1_000_000, new LongAdder());
    GatedSource gated = new GatedSource(corrected, clock, own, ofClient, discarded);
    own.until(START.plusMillis(1));
    corrected.record(10_000, 1);
    Accumulation target = new Accumulation(LAYOUT);

    assertThat(gated.harvestInto(target)).isZero();

    assertThat(target.isEmpty()).isTrue();
    assertThat(discarded.sum()).isEqualTo(10_000);
  }
}
