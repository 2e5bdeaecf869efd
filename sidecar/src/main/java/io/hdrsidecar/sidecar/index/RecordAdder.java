package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.SingleRecordReader;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** What reading records of any file takes; one for each query. One thread at a time. */
final class RecordAdder implements AutoCloseable {
  private static final int MAX_COUNTERS = Integer.MAX_VALUE >> 4;

  private final LineWindow window = new LineWindow();
  private final SingleRecordReader records = new SingleRecordReader();
  private final HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS, new StreamInflater());
  private final IntervalCounts counts = new IntervalCounts();

  void add(FileChannel channel, long offset, int length, long record, IntervalSum sum)
      throws IOException {
    int at = window.read(channel, offset, length);
    JournalLine line;
    try {
      line = records.read(window.array(), at, length);
      if (line.record() != record) {
        throw new IllegalArgumentException("another record is in its place: " + line.record());
      }
      line.decode(decoder);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    counts.set(line.histogram().counts(), line.sumMinMax());
    sum.add(line.histogram().layout(), counts);
  }

  @Override
  public void close() {
    decoder.close();
  }
}
