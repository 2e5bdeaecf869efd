package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.sidecar.index.IndexInMemory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the records stand that are written and not flushed yet: after the flush they go to the
 * index, after a failure they are forgotten. Arrays that are filled again. Writer thread only.
 */
final class UnflushedLines {
  /** Offset, length, record, start, end. */
  private static final int FIELDS = 5;

  private @Nullable String[] texts = new String[256];
  private long[] fields = new long[256 * FIELDS];
  private int size;

  /** The interval that was appended last. */
  void interval(JournalSeries series, JournalFileWriter file, JournalEntry entry) {
    long start = JournalFileWriter.lineMillis(entry.startMillis);
    add(
        series.definitionText(),
        file.recordOffset(),
        file.size() - file.recordOffset(),
        entry.record,
        start,
        Math.max(start, JournalFileWriter.lineMillis(entry.endMillis)));
  }

  /** A record that is no interval. */
  void other(long record) {
    add(null, 0, 0, record, 0, 0);
  }

  private void add(
      @Nullable String text, long offset, long length, long record, long start, long end) {
    if (size == texts.length) {
      texts = Arrays.copyOf(texts, 2 * size);
      fields = Arrays.copyOf(fields, 2 * size * FIELDS);
    }
    int at = size * FIELDS;
    texts[size++] = text;
    fields[at] = offset;
    fields[at + 1] = length;
    fields[at + 2] = record;
    fields[at + 3] = start;
    fields[at + 4] = end;
  }

  /** Moves all to an index. A record that it has, of a flush that failed late, stays as it is. */
  void moveTo(IndexInMemory index) {
    for (int i = 0; i < size; i++) {
      String text = texts[i];
      int at = i * FIELDS;
      long record = fields[at + 2];
      if (record > index.lastRecord()) {
        if (text == null) {
          index.addRecord(record);
        } else {
          index.add(text, fields[at], fields[at + 1], record, fields[at + 3], fields[at + 4]);
        }
      }
    }
    clear();
  }

  /** Forgets all. */
  void clear() {
    Arrays.fill(texts, 0, size, null);
    size = 0;
  }
}
