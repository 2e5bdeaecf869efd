package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.List;
import java.util.Map;

/**
 * Where intervals can be read that memory does not have, or not as finely: the files of a journal,
 * or interval logs. Any thread; reading may block for files.
 */
public interface PastSource {
  /** Has nothing. */
  PastSource NONE =
      new PastSource() {
        @Override
        public String name() {
          return "";
        }

        @Override
        public boolean isLive() {
          return true;
        }

        @Override
        public HistoryExtent extent() {
          return HistoryExtent.EMPTY;
        }

        @Override
        public PastReading open(long fromMillis, long toMillis) {
          return NOTHING;
        }
      };

  /** Nothing to be read. */
  PastReading NOTHING =
      new PastReading() {
        @Override
        public List<PastSeries> series() {
          return List.of();
        }

        @Override
        public boolean hasAll(long firstRecord, long lastRecord) {
          return false;
        }

        @Override
        public List<PastInterval> intervals(
            PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
          return List.of();
        }

        @Override
        public List<String> warnings() {
          return List.of();
        }

        @Override
        public void close() {}
      };

  /** What it is, for people: {@code journal} or {@code files}; empty for nothing. */
  String name();

  /** Whether more is recorded while it is read. */
  boolean isLive();

  /** From when to when there is something, of any series; or may be, while files have no index. */
  HistoryExtent extent();

  /** Files that queries do not read yet, as their index is still being made. */
  default int filesWithoutIndex() {
    return 0;
  }

  /**
   * Takes hold of what there is of a range of time. Files that are deleted afterwards can be read
   * until it is closed.
   *
   * @param fromMillis milliseconds since the epoch
   * @param toMillis likewise, excluded
   */
  PastReading open(long fromMillis, long toMillis);
}
