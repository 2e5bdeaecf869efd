package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.DrivenPartition.HOUR;
import static io.hdrsidecar.fleet.node.DrivenPartition.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** How short steps become long ones, by what the store is asked and told. */
class StepsTest {
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final byte[] KEY = PAY.bytes();
  private static final long SHORT = 10_000;

  /** On a full minute. */
  private static final long T0 = 1_700_000_040_000L;

  private final WatchedStore watched = new WatchedStore("steps");
  private final KeyValueStore<Bytes, byte[]> store = watched.store();

  private Steps steps() {
    return steps(HeapBudget.of(256 << 20).share(Use.INGEST));
  }

  private Steps steps(HeapShare memory) {
    return new Steps(
        store, StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6)), new SumBytes(), memory);
  }

  /** One value in each short step, and a look once a minute, as the commits have. */
  private static void count(Steps in, long from, long to) {
    for (long at = from; at < to; at += SHORT) {
      in.add(PAY, KEY, step(at), at);
      if (at % MINUTE == 0) {
        age(in, at);
      }
    }
  }

  private static void age(Steps steps, long nowMillis) {
    steps.spans().walk(new Upkeep(1, () -> 0, 1), span -> steps.age(span, nowMillis));
  }

  private static PendingStep step(long start) {
    PendingStep step = new PendingStep(start);
    BucketLayout layout = BucketLayout.of(1, 3);
    SparseCounts counts = new SparseCounts();
    counts.visit(layout.indexOf(5), 1);
    step.sum()
        .part(layout, SentIntervals.HIGHEST)
        .counts()
        .add(counts, SumMinMax.of(0, 5, true, 5, 5));
    step.sum().seen(start, start, 1);
    return step;
  }

  private long shortStepsBefore(long millis) {
    long found = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> each = all.next();
        if (StepKey.startMillis(each.key) < millis && StepValue.length(each.value) == SHORT) {
          found++;
        }
      }
    }
    return found;
  }

  /** Six hours of it are 330 long steps and 180 short ones, of which six have to be added up. */
  @Test
  void steps_takenOver_areNotReadAgain() {
    long now = T0 + 6 * HOUR;
    count(steps(), T0, now);
    Steps taken = steps();
    taken.open();
    watched.takeReads();

    age(taken, now);

    assertThat(watched.takeReads()).isBetween(6L, 20L);
    assertThat(shortStepsBefore(now - 30 * MINUTE)).isZero();
  }

  /** An interval can be recorded before the first that came, and be no later than short steps. */
  @Test
  void step_beforeTheFirstThatCame_becomesLong() {
    Steps steps = steps();
    steps.add(PAY, KEY, step(T0 + 5 * MINUTE), T0 + 6 * MINUTE);
    steps.add(PAY, KEY, step(T0), T0 + 6 * MINUTE);

    age(steps, T0 + HOUR);

    assertThat(shortStepsBefore(T0 + HOUR)).isZero();
  }

  /** Spans of it come to be when memory is free, and do not tell of the steps before that. */
  @Test
  void steps_thatWereTakenOverWithoutMemory_areAddedTo() {
    count(steps(), T0, T0 + MINUTE);
    HeapShare memory = HeapBudget.of(256 << 20).share(Use.INGEST).atMost(10_000);
    assertThat(memory.tryTake(10_000)).isTrue();
    Steps taken = steps(memory);
    taken.open();
    memory.release(10_000);

    taken.add(PAY, KEY, step(T0), T0 + MINUTE);
    taken.add(PAY, KEY, step(T0 + 5 * SHORT), T0 + MINUTE);

    assertThat(storedValues()).isEqualTo(6 + 2);
  }

  private long storedValues() {
    long values = 0;
    SumBytes sums = new SumBytes();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        values += StepValue.read(all.next().value, sums).whole().values();
      }
    }
    return values;
  }

  /** What somebody finds who asks while steps are added up. */
  @Test
  void past_whileStepsBecomeLong_isWholeAtEachMoment() {
    Steps steps = steps();
    count(steps, T0, T0 + 20 * MINUTE);
    StepsPast past = new StepsPast(() -> store);
    past.add(0, steps.spans());
    Set<Long> found = new TreeSet<>();
    watched.afterChange(() -> found.add(values(past, T0, T0 + HOUR)));

    age(steps, T0 + HOUR);

    assertThat(shortStepsBefore(T0 + HOUR)).isZero();
    assertThat(found).containsExactly(20L * 6);
  }

  /** A step that was listed while it was short, and whose place a long one has since. */
  @Test
  void step_thatBecameLongSinceItWasListed_isNotReadAsTheShortOne() {
    Steps steps = steps();
    count(steps, T0, T0 + MINUTE);
    StepsPast past = new StepsPast(() -> store);
    past.add(0, steps.spans());
    try (PastReading reading = past.open(T0, T0 + SHORT)) {
      List<PastInterval> listed = listed(reading);
      age(steps, T0 + HOUR);

      assertThat(listed).hasSize(1);
      assertThatThrownBy(() -> new IntervalSum().add(listed.get(0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ask again");
    }
  }

  private static List<PastInterval> listed(PastReading reading) {
    return reading.intervals(PastSeries.of(PAY.key(), PAY.unit()), Map.of(), 1000);
  }

  private static long values(StepsPast past, long from, long to) {
    IntervalSum sum = new IntervalSum();
    try (PastReading reading = past.open(from, to)) {
      for (PastInterval each : listed(reading)) {
        sum.add(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Distribution found = new Distribution();
    sum.counts().addTo(found);
    return found.count();
  }
}
