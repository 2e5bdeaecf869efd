package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalReader;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.file.Path;

/** Whether a checkpoint is whole: every line can be read, and there are as many as its end says. */
final class CheckpointCheck implements JournalVisitor {
  private long lines;
  private long endsAfter = -1;

  private CheckpointCheck() {}

  static boolean isWhole(Path path) throws IOException {
    CheckpointCheck check = new CheckpointCheck();
    JournalReader reader = new JournalReader(path, check);
    reader.read();
    return reader.damaged() == 0 && reader.tornAt() < 0 && check.endsAfter == check.lines;
  }

  @Override
  public void interval(JournalLine line) {
    lines++;
  }

  @Override
  public void total(JournalLine line) {
    lines++;
  }

  @Override
  public void goodbye(InstanceId instance, long record) {
    lines++;
  }

  @Override
  public void seriesEnd(SeriesText series, long record) {
    throw new IllegalArgumentException("the end of a series belongs among intervals");
  }

  @Override
  public void sequence(InstanceId instance, long sequence, long awayMillis, boolean saidGoodbye) {
    lines++;
  }

  @Override
  public void end(long expected, long lastRecord) {
    endsAfter = expected;
  }
}
