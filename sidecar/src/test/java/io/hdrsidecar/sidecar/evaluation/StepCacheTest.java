package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.SECOND;
import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.reading.BoundNotes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered is what would be found again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StepCacheTest {
  private static final ExposedEdges EDGES = new ExposedEdges(List.of(), unit -> List.of());
  private static final PastResult STEP =
      new PastResult(List.of(), Coverage.NOTHING, new BoundNotes());
  private static final String COUNTS = "histogram_count(increase(calls_seconds[10s]))";

  @TempDir Path folder = Path.of("set by JUnit");

  private final HeapShare share = HeapBudget.of(256L << 20).share(HeapBudget.Use.QUERIES);

  private static EvaluatedStore filled(EvaluatedStore store) throws Exception {
    for (int i = 0; i < 120; i++) {
      store.clock.advance(Duration.ofSeconds(1));
      store.merge(store.series("a"), 1_000_000, 2_000_000);
    }
    return store;
  }

  private static void assertRemembersNoOther(EvaluatedStore store, StepRange range, StepCache cache)
      throws Exception {
    assertThat(text(store.over(COUNTS, range, cache)))
        .isEqualTo(text(store.over(COUNTS, range, null)));
  }

  @Test
  void intervalThatEndedWhereTimeIsJustSettled_isFound() throws Exception {
    try (EvaluatedStore store = filled(new EvaluatedStore().inMemory(1 << 20));
        StepCache cache = new StepCache(share, store.store)) {
      long end = store.clock.millis() - LateIntervals.SETTLED_MILLIS;
      StepRange range = new StepRange(end - 50 * SECOND, end, 10 * SECOND);
      assertRemembersNoOther(store, range, cache);

      store.mergeBetween(store.series("a"), end - SECOND, end, 7_000_000);

      assertRemembersNoOther(store, range, cache);
    }
  }

  @Test
  void clockThatWasSetBack_hidesNoInterval() throws Exception {
    try (EvaluatedStore store = filled(new EvaluatedStore().inMemory(1 << 20));
        StepCache cache = new StepCache(share, store.store)) {
      long end = store.clock.millis() - LateIntervals.SETTLED_MILLIS;
      StepRange range = new StepRange(end - 50 * SECOND, end, 10 * SECOND);
      assertRemembersNoOther(store, range, cache);

      store.clock.jumpWallClock(Duration.ofSeconds(-8));
      store.mergeBetween(store.series("a"), end - SECOND, end, 7_000_000);
      store.clock.jumpWallClock(Duration.ofSeconds(8));

      assertRemembersNoOther(store, range, cache);
    }
  }

  @Test
  void seriesWhoseFirstIntervalIsLong_isThereFromItsStart() throws Exception {
    try (EvaluatedStore store = filled(new EvaluatedStore().inMemory(1 << 20));
        StepCache cache = new StepCache(share, store.store)) {
      StepRange range = new StepRange(store.origin + 20 * SECOND, store.clock.millis(), SECOND);
      assertRemembersNoOther(store, range, cache);

      store.mergeBetween(
          store.series("b"), store.origin + 30 * SECOND, store.clock.millis(), 7_000_000);

      assertRemembersNoOther(store, range, cache);
    }
  }

  @Test
  void seriesThatEnds_isGoneFiveMinutesAfterItsLastInterval() throws Exception {
    try (EvaluatedStore store = filled(new EvaluatedStore().inMemory(1 << 20).inFiles(folder));
        StepCache cache = new StepCache(share, store.store)) {
      store.pass(Duration.ofMinutes(14));
      store.awaitDurable();
      StepRange range = new StepRange(store.origin, store.clock.millis(), 10 * SECOND);
      assertRemembersNoOther(store, range, cache);

      store.pass(Duration.ofMinutes(3));
      assertThat(store.store.livingSeries()).isEmpty();
      assertRemembersNoOther(store, range, cache);

      store.merge(store.series("a"), 7_000_000);
      store.awaitDurable();
      assertRemembersNoOther(store, range, cache);
    }
  }

  @Test
  void stepThatWasReadBeforeTheChange_isNotRememberedAfterIt() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20);
        StepCache cache = new StepCache(share, store.store)) {
      long now = store.clock.millis();
      long past = now - 60 * SECOND;
      LateIntervals late = store.store.past().late();
      cache.refresh(now);
      try (LateIntervals.Watch reading = late.watch(Long.MIN_VALUE)) {
        late.changed(past, now);
        cache.refresh(now); // by another query
        cache.put("a", EDGES, past, STEP, reading);
        cache.put("a", EDGES, past - 1, STEP, reading);
      }
      assertThat(cache.get("a", EDGES, past)).isNull();
      assertThat(cache.get("a", EDGES, past - 1)).isNotNull();
    }
  }

  @Test
  void roomThatIsNotThere_costsNoOtherQueryItsSteps() throws Exception {
    HeapShare part = share.atMost(10_000);
    try (EvaluatedStore store = new EvaluatedStore();
        StepCache cache = new StepCache(part, store.store);
        LateIntervals.Watch watch = store.store.past().late().watch(Long.MIN_VALUE)) {
      long now = store.clock.millis();
      cache.refresh(now);
      cache.put("a", EDGES, 0, STEP, watch);
      cache.put("b".repeat(6_000), EDGES, 0, STEP, watch);
      assertThat(cache.get("a", EDGES, 0)).isNotNull();
    }
    assertThat(part.heldBytes()).isZero();
  }

  @Test
  void closed_holdsNothing() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore();
        LateIntervals.Watch watch = store.store.past().late().watch(Long.MIN_VALUE)) {
      StepCache cache = new StepCache(share, store.store);
      cache.refresh(store.clock.millis());
      cache.close();
      cache.put("a", EDGES, 0, STEP, watch);
    }
    assertThat(share.heldBytes()).isZero();
  }
}
