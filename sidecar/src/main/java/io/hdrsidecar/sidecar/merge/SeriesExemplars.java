package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.sidecar.limits.StoreMemory;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The exemplars of one series: a few, each of another magnitude, so that slow buckets and quick
 * ones keep theirs. The merge context writes; any thread reads.
 */
final class SeriesExemplars {
  /** So long the slowest of a magnitude stays when a quicker one comes. */
  private static final long KEPT_MILLIS = 60_000;

  private volatile List<Exemplar> exemplars = List.of();

  /** Copies of the moment, in no order. */
  List<Exemplar> all() {
    return exemplars;
  }

  /** Merge context: takes an exemplar in, for the one of its magnitude or the oldest. */
  void offer(Exemplar added) {
    List<Exemplar> known = exemplars;
    Exemplar replaced = null;
    for (Exemplar exemplar : known) {
      if (magnitude(exemplar) == magnitude(added)) {
        replaced = exemplar;
      }
    }
    if (replaced != null
        && replaced.value() > added.value()
        && added.millis() - replaced.millis() < KEPT_MILLIS) {
      return;
    }
    if (replaced == null && known.size() == StoreMemory.EXEMPLARS) {
      replaced = oldest(known);
    }
    Exemplar gone = replaced;
    exemplars =
        Stream.concat(known.stream().filter(exemplar -> !exemplar.equals(gone)), Stream.of(added))
            .toList();
  }

  private static Exemplar oldest(List<Exemplar> known) {
    return Collections.min(known, Comparator.comparingLong(Exemplar::millis));
  }

  /** Powers of two: finer than classic buckets are as a rule. */
  private static int magnitude(Exemplar exemplar) {
    return Long.SIZE - Long.numberOfLeadingZeros(exemplar.value());
  }
}
