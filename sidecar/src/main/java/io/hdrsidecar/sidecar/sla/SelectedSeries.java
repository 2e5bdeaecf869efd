package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.query.SeriesJoin;
import io.hdrsidecar.sidecar.query.SeriesMixture;
import io.hdrsidecar.sidecar.query.SeriesSort;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The series that a selector matches, to be joined. Rules with equal selectors share one.
 *
 * <p>The total does not fall: when a series has gone from the store, what it had counted stays, if
 * it may be joined with those that are counted; one that only passed by and must not be joined with
 * them leaves nothing. When all that match by now must not be joined with what was counted before,
 * the total begins anew.
 *
 * <p>The list of matches is made anew only when series were added to the store or removed from it.
 * One thread at a time.
 */
final class SelectedSeries {
  private static final int MAX_ENDED_LIVES = 10_000;

  private final Selector selector;
  private final boolean areCopies;
  private final Set<Life> endedLives = new HashSet<>();
  private final Distribution ended = new Distribution();
  private Set<SeriesSort> countedSorts = Set.of();
  private int beginnings = 1;
  private boolean isWhole = true;
  private List<Series> matched = List.of();
  private Set<BucketLayout> layouts = Set.of();
  private @Nullable Unit unit;
  private Instant countedSince = Instant.MAX;
  private long seenVersion;
  private String mixture = "";

  /**
   * Nothing matches yet.
   *
   * @param areCopies whether each look is at a store of its own, with other objects for the same
   *     series
   */
  SelectedSeries(Selector selector, boolean areCopies) {
    this.selector = selector;
    this.areCopies = areCopies;
  }

  /** A series from its beginning to its end, whichever object shows it. */
  private record Life(SeriesKey key, long createdMillis) {
    static Life of(Series series) {
      return new Life(series.key(), series.createdAt().toEpochMilli());
    }
  }

  /**
   * Looks whether other series match by now.
   *
   * @param store has the series
   * @param version of {@link KnownSeries}
   * @param at when counting begins for a selector that never matched before
   * @param scratch overwritten
   */
  void refresh(SeriesStore store, long version, Instant at, Distribution scratch) {
    if (version != seenVersion) {
      if (!isWhole) {
        beginAnew(); // the last look ended halfway, so what it left of ended series is unknown
      }
      List<Series> before = matched;
      List<Series> now = selector.select(store);
      mixture = mixtureOf(now);
      isWhole = false;
      matched = now;
      followMatched();
      keepEnded(before, scratch);
      isWhole = true;
      seenVersion = version;
    }
    if (!matched.isEmpty() && (mixture.isEmpty() || unit == null)) {
      layouts = layouts(matched);
      unit = matched.get(0).unit();
    }
    if (countedSince.equals(Instant.MAX)) {
      countedSince = matched.stream().map(Series::createdAt).min(Instant::compareTo).orElse(at);
    }
  }

  private void followMatched() {
    if (!matched.isEmpty() && mixture.isEmpty()) {
      List<SeriesSort> sorts = matched.stream().map(SeriesSort::of).toList();
      if (!SeriesSort.mayJoin(countedWith(sorts)) || isBackFromItsEnd()) {
        beginAnew();
      }
      countedSorts = countedWith(sorts);
    }
  }

  /**
   * Whether a series shows up that was taken for ended, as when a node had no room for it for a
   * while: its counts would be there twice. Of too many that ended this is not known any more.
   */
  private boolean isBackFromItsEnd() {
    return endedLives.size() > MAX_ENDED_LIVES
        || (!endedLives.isEmpty() && matched.stream().map(Life::of).anyMatch(endedLives::contains));
  }

  private Set<SeriesSort> countedWith(Collection<SeriesSort> others) {
    Set<SeriesSort> all = new HashSet<>(countedSorts);
    all.addAll(others);
    return all;
  }

  private void beginAnew() {
    ended.clear();
    endedLives.clear();
    countedSorts = Set.of();
    countedSince = Instant.MAX;
    beginnings++;
  }

  private void keepEnded(List<Series> before, Distribution scratch) {
    Set<Series> still = Collections.newSetFromMap(new IdentityHashMap<>());
    still.addAll(matched);
    Set<Life> lives =
        areCopies ? matched.stream().map(Life::of).collect(Collectors.toSet()) : Set.of();
    for (Series series : before) {
      Set<SeriesSort> sorts = countedWith(Set.of(SeriesSort.of(series)));
      boolean hasEnded = !still.contains(series) && !lives.contains(Life.of(series));
      if (hasEnded && SeriesSort.mayJoin(sorts)) {
        series.readTotal(scratch);
        ended.add(scratch);
        countedSorts = sorts;
        if (areCopies) {
          endedLives.add(Life.of(series));
        }
      }
    }
  }

  /** Why the series must not be joined; empty when they may be. */
  static String mixtureOf(List<Series> series) {
    if (series.stream().anyMatch(each -> each.unit() != series.get(0).unit())) {
      return "the selector matches series of different units: "
          + series.stream()
              .map(each -> each.key().name() + " in " + each.unit().symbol())
              .distinct()
              .limit(10)
              .collect(Collectors.joining(", "));
    }
    try {
      SeriesMixture.refuse(series);
      return "";
    } catch (QueryException e) {
      return "the selector " + e.message().replaceFirst("^series: ", "");
    }
  }

  /** The bucket layouts of all these. */
  static Set<BucketLayout> layouts(List<Series> series) {
    return series.stream()
        .flatMap(each -> each.layouts().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What all series that match meet. */
  SeriesFilter filter() {
    return selector.filter();
  }

  /** As of the last {@link #refresh}, in the order of their keys. */
  List<Series> matched() {
    return matched;
  }

  /** Why the matched series must not be joined; empty when they may be. */
  String mixture() {
    return mixture;
  }

  /** How often the total has begun: rises when it has nothing to do with what it was before. */
  int beginnings() {
    return beginnings;
  }

  /** When the total was 0: the earliest creation of a matched series, or the first look. */
  Instant countedSince() {
    return countedSince;
  }

  /** Unit of the series, or of the last that could be joined; null before any matched. */
  @Nullable Unit unit() {
    return unit;
  }

  /** The bucket layouts of the series, or of the last that could be joined. */
  Set<BucketLayout> layouts() {
    return layouts;
  }

  /**
   * What all series counted since they began, with those that have ended since the first look and
   * may be joined with them. Only while there is no {@link #mixture}.
   *
   * @param scratch overwritten
   */
  void readTotal(Distribution into, JoinedCounts scratch) {
    join(scratch, Series::readTotal);
    into.clear();
    into.add(ended);
    scratch.addTo(into);
  }

  /**
   * What all series counted in a window.
   *
   * @param scratch overwritten
   */
  void readWindow(int index, Distribution into, JoinedCounts scratch) {
    join(scratch, (series, reader) -> series.readWindow(index, reader));
    into.clear();
    scratch.addTo(into);
  }

  private void join(JoinedCounts into, BiConsumer<Series, CountsReader> reading) {
    into.forget();
    SeriesJoin.join(matched, reading, into);
  }
}
