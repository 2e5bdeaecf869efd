package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of the journal with its index: a file beside it, or in memory while it is being written.
 *
 * @param path of the log
 * @param index null while it is being written
 * @param active null afterwards
 */
record LogWithIndex(Path path, @Nullable IndexFile index, @Nullable SharedIndex active) {
  HistoryExtent extent() {
    if (index != null) {
      return index.extent();
    }
    return active == null ? HistoryExtent.EMPTY : active.extent();
  }

  RecordRanges records() {
    if (index != null) {
      return index.records();
    }
    return active == null ? new RecordRanges() : active.records();
  }
}
