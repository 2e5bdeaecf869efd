package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sources that are not as they should be. */
class SampledSourceTest {
  private final SendLoopHarness harness =
      new SendLoopHarness("unix:///no/such/socket", Duration.ofSeconds(1));

  /** Moves one value of 7 and may then break. */
  private record OddSource(boolean breaks) implements IntervalSource {
    @Override
    public long harvestInto(Accumulation target) {
      target.counts().add(target.counts().layout().indexOf(7), 1);
      target.sum().add(7);
      target.widen(7, 7);
      if (breaks) {
        throw new IllegalStateException("meant to break");
      }
      return 1;
    }

    @Override
    public long clampedNegative() {
      return 2;
    }

    @Override
    public long clampedTooLarge() {
      return 3;
    }

    @Override
    public long lostForMemory() {
      return 5;
    }
  }

  @Test
  void harvest_thatBreaksOff_keepsWhatItMovedAndStopsNoOther() {
    harness.add("broken", new OddSource(true));
    SeriesRecorder sound = harness.series("sound");
    sound.record(1);

    assertThatThrownBy(() -> harness.pass(Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .hasMessage("meant to break");
    harness.turn();

    assertThat(harness.figures().of(ClientFigure.PENDING_INTERVALS)).isEqualTo(2);
    assertThat(harness.figures().pendingValues()).isEqualTo(2);
  }

  @Test
  void figures_afterASeriesIsForgotten_stillCountIt() {
    IntervalSource source = new OddSource(false);
    harness.add("a", source);
    harness.pass(Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertOddFigures();

    harness.loop().remove(source);
    harness.pass(Duration.ofSeconds(3), Duration.ofSeconds(1));

    assertThat(harness.figures().of(ClientFigure.SERIES)).isZero();
    assertThat(harness.figures().of(ClientFigure.HARVESTED_VALUES)).isEqualTo(3);
    assertOddFigures();
  }

  private void assertOddFigures() {
    assertThat(harness.figures().of(ClientFigure.CLAMPED_NEGATIVE)).isEqualTo(2);
    assertThat(harness.figures().of(ClientFigure.CLAMPED_TOO_LARGE)).isEqualTo(3);
    assertThat(harness.figures().lostValues()).containsEntry("no_memory", 5L);
  }
}
