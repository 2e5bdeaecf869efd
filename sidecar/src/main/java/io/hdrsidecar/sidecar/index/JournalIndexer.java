package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalReader;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;

/**
 * Makes the index of a journal file from the file, in one pass; no histogram is decoded. What
 * cannot be read is left out, and so is a record whose number is not above those before it: it was
 * written twice.
 */
public final class JournalIndexer implements JournalVisitor {
  private final IndexInMemory index = new IndexInMemory();
  private final IdentityHashMap<SeriesText, String> texts = new IdentityHashMap<>();

  private JournalIndexer() {}

  /**
   * Reads a file that is complete.
   *
   * @throws IOException when it cannot be read
   */
  public static IndexInMemory of(Path path) throws IOException {
    JournalIndexer scan = new JournalIndexer();
    new JournalReader(path, scan).read();
    return scan.index;
  }

  @Override
  public void interval(JournalLine line) {
    SeriesText series = line.series();
    if (series != null && line.record() > index.lastRecord()) {
      index.add(
          texts.computeIfAbsent(series, SeriesText::encode),
          line.fileOffset(),
          line.fileBytes(),
          line.record(),
          line.startMillis(),
          line.endMillis());
    }
  }

  private void other(long record) {
    if (record > index.lastRecord()) {
      index.addRecord(record);
    }
  }

  @Override
  public void goodbye(InstanceId instance, long record) {
    other(record);
  }

  @Override
  public void seriesEnd(SeriesText series, long record) {
    other(record);
  }
}
