package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.merge.Intervals.LAYOUT;
import static io.hdrsidecar.sidecar.merge.Intervals.decoded;
import static io.hdrsidecar.sidecar.merge.Intervals.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Series end for want of intervals, whole, and those who still send to them lose nothing. */
class SeriesExpiryTest {
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store = store(LIMIT);
  private final Distribution read = new Distribution();

  private SeriesStore store(Duration idleExpiry) {
    return new SeriesStore(
        new MergeConfig(2, 2, 100_000, WindowSpec.parseList("10s"), 2048, idleExpiry),
        clock,
        clock);
  }

  /** Time goes by as in the sidecar, which looks each second. */
  private void pass(Duration time) {
    pass(store, time);
  }

  private void pass(SeriesStore over, Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(SECOND);
      over.expireIdle();
      over.advanceWindows();
    }
  }

  private Registration registered(String name, String... labels) throws Exception {
    return store.register(definition(name, labels)).registration(LAYOUT);
  }

  /** Sends values as a client does that keeps what it once registered; gives what it keeps then. */
  private Registration send(Registration to, long... values) throws Exception {
    Registration current = store.renewed(to);
    store.mergeWithoutSumMinMax(
        current.series(), decoded(LAYOUT, values), clock.millis() - 1000, clock.millis());
    return current;
  }

  private long count(Series series) {
    series.readTotal(read);
    return read.count();
  }

  @Test
  void expireIdle_noIntervalForTheLimit_endsTheWholeSeries() throws Exception {
    Registration idle = send(registered("checkout", "route", "/pay"), 5, 7);
    Series before = idle.series();

    pass(LIMIT.minus(SECOND));
    assertThat(store.series()).containsExactly(before);
    pass(SECOND);

    assertThat(store.series()).isEmpty();
    assertThat(store.livingSeries()).isEmpty();
    assertThat(store.find(before.key())).isEmpty();
    assertThat(before.hasEnded()).isTrue();
    assertThat(store.status().series()).isZero();
    assertThat(store.status().expired()).isEqualTo(1);
    assertThat(store.status().bytes()).isZero();
    // Who was just reading it reads it to the end.
    assertThat(count(before)).isEqualTo(2);
    // The name is free, too.
    assertThat(store.register(definition("checkout", Unit.BYTES, LAYOUT)).unit())
        .isEqualTo(Unit.BYTES);
  }

  @Test
  void expireIdle_anotherSeriesOfTheNameLives_keepsTheName() throws Exception {
    send(registered("checkout", "route", "/a"), 5);
    Registration living = registered("checkout", "route", "/b");
    pass(LIMIT.minus(SECOND));
    living = send(living, 6);
    pass(SECOND);

    assertThat(store.series()).containsExactly(living.series());
    assertThatThrownBy(() -> store.register(definition("checkout", Unit.BYTES, LAYOUT)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void expireIdle_intervalBeforeTheLimit_beginsTheTimeAnew() throws Exception {
    Registration kept = send(registered("checkout"), 5);
    pass(LIMIT.minus(SECOND));
    Series first = kept.series();
    send(kept, 6);
    pass(LIMIT.minus(SECOND));

    assertThat(store.series()).containsExactly(first);
    assertThat(count(first)).isEqualTo(2);
  }

  @Test
  void expireIdle_wallClockJumps_endsNothing() throws Exception {
    send(registered("checkout"), 5);
    clock.jumpWallClock(Duration.ofDays(365));
    pass(SECOND);
    clock.jumpWallClock(Duration.ofDays(-3650));
    pass(SECOND);

    assertThat(store.series()).hasSize(1);
  }

  @Test
  void expireIdle_processWasStopped_doesNotCountThatTime() throws Exception {
    send(registered("checkout"), 5);
    pass(SECOND);
    clock.advance(Duration.ofHours(5)); // SIGSTOP, or a laptop that slept
    store.expireIdle();

    assertThat(store.series()).hasSize(1);
    pass(LIMIT);
    assertThat(store.series()).isEmpty();
  }

  @Test
  void expireIdle_switchedOff_endsNothing() throws Exception {
    SeriesStore forEver = store(Duration.ZERO);
    forEver.register(definition("checkout"));
    pass(forEver, Duration.ofHours(20));

    assertThat(forEver.series()).hasSize(1);
  }

  @Test
  void renewed_afterTheEnd_beginsFromZeroWithANewStart() throws Exception {
    Registration kept = send(registered("checkout", "route", "/pay"), 5, 7, 9);
    Series first = kept.series();
    pass(LIMIT);
    Instant end = clock.instant();

    kept = send(kept, 11);
    kept = send(kept, 13);

    Series second = store.find(first.key()).orElseThrow();
    assertThat(second).isSameAs(kept.series()).isNotSameAs(first);
    assertThat(second.createdAt()).isEqualTo(end).isAfter(first.createdAt());
    assertThat(second.help()).isEqualTo("help of checkout");
    assertThat(count(second)).isEqualTo(2);
    assertThat(count(first)).isEqualTo(3);
    second.readWindow(0, read);
    assertThat(read.count()).isEqualTo(2);
  }

  @Test
  void renewed_anotherClientWasFirst_sendsToTheSameSeries() throws Exception {
    Registration mine = send(registered("checkout"), 5);
    pass(LIMIT);
    Registration others = send(registered("checkout"), 6);
    mine = send(mine, 7);

    assertThat(mine.series()).isSameAs(others.series());
    assertThat(count(mine.series())).isEqualTo(2);
    assertThat(store.series()).hasSize(1);
  }

  @Test
  void renewed_placeTakenMeanwhile_countsInTheOverflowSeries() throws Exception {
    Registration first = send(registered("checkout", "id", "1"), 5);
    pass(LIMIT);
    send(registered("checkout", "id", "2"), 6); // finds the place free
    send(registered("checkout", "id", "3"), 7);
    first = send(first, 8);

    assertThat(first.series().key().toString()).isEqualTo("checkout{overflow=\"true\"}");
    assertThat(count(first.series())).isEqualTo(1);
    assertThat(store.status().overflowSeries()).isEqualTo(1);
  }

  @Test
  void expireIdle_overflowSeries_endsLikeOthersAndComesBack() throws Exception {
    send(registered("checkout", "id", "1"), 5);
    send(registered("checkout", "id", "2"), 5);
    Registration third = send(registered("checkout", "id", "3"), 5);
    pass(LIMIT);
    assertThat(store.status().overflowSeries()).isZero();
    assertThat(store.series()).isEmpty();

    third = send(third, 6);

    assertThat(third.series().key().toString()).isEqualTo("checkout{overflow=\"true\"}");
    assertThat(store.status().overflowSeries()).isEqualTo(1);
    assertThat(count(third.series())).isEqualTo(1);
    // It takes no ordinary place.
    send(registered("a"), 1);
    send(registered("b"), 1);
    assertThat(store.status().series()).isEqualTo(3);
  }

  @Test
  void renewed_seriesOfAKindAboveTheLimit_countsInTheOverflowSeriesOfThatKind() throws Exception {
    send(registered("checkout", "id", "1"), 5);
    send(registered("checkout", "id", "2"), 5);
    Registration third = send(registered("checkout", "id", "3", "kind", "wait"), 5, 6);
    pass(LIMIT);

    third = send(third, 6);

    assertThat(third.series().key().toString())
        .isEqualTo("checkout{kind=\"wait\",overflow=\"true\"}");
    assertThat(count(third.series())).isEqualTo(1);
    assertThat(store.status().overflowSeries()).isEqualTo(1);
  }

  @Test
  void registration_moreEndedThanAreRemembered_theEldestIsForgotten() throws Exception {
    List<Registration> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) { // of which 2 ordinary and 2 overflow could live at a time
      all.add(send(registered("checkout", "id", "" + i), 5));
      pass(LIMIT);
    }

    assertThat(all.get(0).isForgotten()).isTrue();
    assertThat(all.get(1).isForgotten()).isFalse();
    assertThat(send(all.get(4), 6).series().key().toString()).isEqualTo("checkout{id=\"4\"}");
  }

  @Test
  void renewed_nameHasAnotherUnitByNow_isRefused() throws Exception {
    Registration kept = send(registered("checkout"), 5);
    pass(LIMIT);
    store.register(definition("checkout", Unit.BYTES, LAYOUT));

    assertThatThrownBy(() -> store.renewed(kept))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.SERIES_CONFLICT));
  }

  @Test
  void register_labelsLongerInSumThanAllowed_isRefused() {
    assertThatThrownBy(
            () -> store.register(definition("x", "a", "v".repeat(1024), "b", "v".repeat(1023))))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.CONFIGURATION_LIMIT))
        .hasMessageContaining("2048")
        .hasMessageContaining("2049");
  }

  /** What another thread may see: the series ends and begins anew while all are being copied. */
  @Test
  void living_seriesEndsWhileAllAreCopied_isNotThere() throws Exception {
    Series before = send(registered("checkout"), 5).series();
    Collection<Series> all =
        new AbstractCollection<>() {
          @Override
          public Iterator<Series> iterator() {
            return store.series().iterator();
          }

          @Override
          public int size() {
            return store.series().size();
          }

          @Override
          public Object[] toArray() {
            List<Object> copied = new ArrayList<>(store.series());
            pass(LIMIT);
            try {
              copied.add(send(registered("checkout"), 6).series());
            } catch (Exception e) {
              throw new AssertionError(e);
            }
            return copied.toArray();
          }
        };

    List<Series> living = SeriesStore.living(all);

    assertThat(before.hasEnded()).isTrue();
    assertThat(living).singleElement().isNotSameAs(before);
    assertThat(living.get(0).key()).isEqualTo(before.key());
  }

  /** A scrape meets a series once and whole, however often it ends and begins meanwhile. */
  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void livingSeries_whileSeriesEndAndBegin_areEachThereOnceAndWhole() throws Exception {
    SeriesStore brief = store(SECOND);
    AtomicBoolean writing = new AtomicBoolean(true);
    CountDownLatch started = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Long> reader = threads.submit(() -> readWhile(writing, started, brief));
      started.await();
      Registration a = brief.register(definition("a")).registration(LAYOUT);
      Registration b = brief.register(definition("b")).registration(LAYOUT);
      for (int round = 0; round < 20_000; round++) {
        a = brief.renewed(a);
        b = brief.renewed(b);
        brief.mergeWithoutSumMinMax(a.series(), decoded(LAYOUT, 5, 500_000), 0, clock.millis());
        brief.mergeWithoutSumMinMax(b.series(), decoded(LAYOUT, 5, 500_000), 0, clock.millis());
        pass(brief, SECOND);
      }
      writing.set(false);

      assertThat(reader.get()).as("series read").isPositive();
      assertThat(brief.status().expired()).isEqualTo(40_000);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long readWhile(AtomicBoolean writing, CountDownLatch started, SeriesStore store) {
    Distribution total = new Distribution();
    long reads = 0;
    started.countDown();
    do {
      Set<SeriesKey> met = new HashSet<>();
      for (Series series : store.livingSeries()) {
        series.readTotal(total);
        assertThat(met.add(series.key())).as("%s once", series.key()).isTrue();
        assertThat(total.count()).isIn(0L, 2L);
        reads++;
      }
    } while (writing.get());
    return reads;
  }
}
