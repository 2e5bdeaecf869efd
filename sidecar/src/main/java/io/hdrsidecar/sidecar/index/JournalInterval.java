package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import java.io.IOException;

/** An interval in a file of the journal; it is read when it is asked for. */
final class JournalInterval implements PastInterval {
  private final OpenJournalFile file;
  private final long offset;
  private final int length;
  private final long record;
  private final long startMillis;
  private final long endMillis;

  JournalInterval(OpenJournalFile file, LineList.Cursor line) {
    this.file = file;
    this.offset = line.offset();
    this.length = line.length();
    this.record = line.record();
    this.startMillis = line.startMillis();
    this.endMillis = line.endMillis();
  }

  @Override
  public long startMillis() {
    return startMillis;
  }

  @Override
  public long endMillis() {
    return endMillis;
  }

  @Override
  public void addTo(IntervalSum sum) throws IOException {
    file.add(offset, length, record, sum);
  }
}
