package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Records that files of a journal should have by their numbers, and do not: since a file was cut
 * short or damaged, or since nothing could be written and intervals were acknowledged from memory.
 * Looks at files in the order of their records. One thread; use once.
 */
final class RecordGaps {
  private final SortedSet<Long> unread;
  private final long fromMillis;
  private final long toMillis;
  private long last;
  private HistoryExtent before = HistoryExtent.EMPTY;
  private long missing;
  private long missingFrom = Long.MAX_VALUE;
  private long missingTo = Long.MIN_VALUE;

  /**
   * No gap yet.
   *
   * @param unread first records of files that may fill one, as they cannot be read yet
   * @param fromMillis of the range of time that matters
   * @param toMillis its end, excluded
   */
  RecordGaps(SortedSet<Long> unread, long fromMillis, long toMillis) {
    this.unread = unread;
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  /** The files, in the order of their records, and what is missing between them. */
  Optional<String> describe(List<LogWithIndex> files) {
    files.forEach(this::add);
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            missing
                + " records of the journal from between "
                + Instant.ofEpochMilli(missingFrom)
                + " and "
                + Instant.ofEpochMilli(missingTo)
                + " are in none of its files; counts may be too low where memory lacks them");
  }

  private void add(LogWithIndex file) {
    RecordRanges has = file.records();
    HistoryExtent extent = file.extent();
    for (int i = 0; i < has.size(); i++) {
      if (last > 0 && has.firstOf(i) > last + 1) {
        boolean isBetweenFiles = i == 0 && !extent.isEmpty();
        gap(has.firstOf(i), isBetweenFiles ? extent.fromMillis() : extent.toMillis());
      }
      if (has.lastOf(i) > last) {
        last = has.lastOf(i);
        before = extent.isEmpty() ? before : extent;
      }
    }
  }

  /** What is missing was written after the file before it began, and before the next record was. */
  private void gap(long next, long nextMillis) {
    long from = before.fromMillis();
    long to = Math.max(before.toMillis(), nextMillis);
    boolean mayBeFilled = !unread.subSet(last, next).isEmpty();
    if (!mayBeFilled && from < toMillis && to >= fromMillis) {
      missing += next - last - 1;
      missingFrom = Math.min(missingFrom, from);
      missingTo = Math.max(missingTo, to);
    }
  }
}
