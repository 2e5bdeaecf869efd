package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.hlog.Base64Histogram;
import io.hdrsidecar.internal.hlog.IntervalLogReader;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The selected lines of a log, in their order, and what went wrong with others, at its place in
 * that order.
 *
 * <p>Reading a line takes a tenth of the time that decoding its histogram takes. So the thread that
 * uses the lines also reads, some batches ahead, and lets other threads decode; what they have not
 * begun when its turn comes, it decodes itself. With no other threads everything happens here, in
 * the same order. Memory is bounded: so many batches of so many lines, of which the texts together
 * may pass {@link #MAX_TEXT_BYTES} by one batch. One thread at a time.
 */
final class LineQueue implements AutoCloseable {
  /** More are of no use: reading and adding up take a quarter of the time. */
  private static final int MAX_THREADS = 3;

  private static final int LINES_AT_ONCE = 16;
  private static final int MAX_TEXT_BYTES = 4 << 20;

  private final IntervalLogReader reader;
  private final LineBatch.LineFilter filter;
  private final Base64Histogram decoder;
  private final @Nullable ExecutorService threads;
  private final List<LineBatch> all = new ArrayList<>();
  private final Deque<LineBatch> unused = new ArrayDeque<>();
  private final Deque<LineBatch> ahead = new ArrayDeque<>();
  private LineBatch current;
  private ScannedLine line;
  private int next;
  private boolean readAll;

  /**
   * Lines of a log.
   *
   * @param maxCounters histograms that need more counters are refused
   * @param decodeAhead whether other threads decode
   */
  LineQueue(
      IntervalLogReader reader, LineBatch.LineFilter filter, int maxCounters, boolean decodeAhead) {
    this.reader = reader;
    this.filter = filter;
    this.decoder = new Base64Histogram(maxCounters, new StreamInflater());
    int others =
        decodeAhead ? Math.min(Runtime.getRuntime().availableProcessors() - 1, MAX_THREADS) : 0;
    threads = others == 0 ? null : Executors.newFixedThreadPool(others, LineQueue::thread);
    for (int i = 0; i <= 3 * others; i++) {
      all.add(new LineBatch(others == 0 ? 1 : LINES_AT_ONCE));
    }
    current = all.get(0);
    line = current.line(0);
    unused.addAll(all.subList(1, all.size()));
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "log-decoder");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Goes to the next line.
   *
   * @return false at the end of the log
   * @throws MalformedLogLineException for a line that cannot be used; the next call goes on
   * @throws IOException when reading failed behind the line before; there are no more
   */
  boolean next() throws IOException, MalformedLogLineException {
    while (next == current.size()) {
      IOException end = current.end();
      if (end != null) {
        throw end;
      }
      if (!nextBatch()) {
        return false;
      }
    }
    line = current.line(next++);
    MalformedLogLineException failure = line.failure();
    if (failure != null) {
      throw failure;
    }
    return true;
  }

  private boolean nextBatch() {
    unused.add(current);
    readAhead();
    LineBatch batch = ahead.poll();
    if (batch == null) {
      unused.remove(current);
      return false;
    }
    current = batch;
    current.finish();
    next = 0;
    return true;
  }

  private void readAhead() {
    int textBytes = ahead.stream().mapToInt(LineBatch::textBytes).sum();
    while (!readAll && !unused.isEmpty() && textBytes < MAX_TEXT_BYTES) {
      LineBatch batch = unused.remove();
      readAll = !batch.fill(reader, filter);
      textBytes += batch.textBytes();
      ahead.add(batch);
      if (threads != null) {
        batch.decodeOn(threads);
      }
    }
  }

  /** The line that is current; valid until the next. */
  ScannedLine line() {
    return line;
  }

  /** See {@link ScannedLine#decode}. */
  @Nullable DecodedHistogram decode() throws MalformedLogLineException {
    return line.decode(current.text(), decoder);
  }

  /** The histogram of the current line as it was encoded; overwritten by the next call here. */
  ByteBuffer payload() throws MalformedLogLineException {
    return line.payload(current.text(), decoder);
  }

  @Override
  public void close() throws IOException {
    if (threads != null) {
      threads.shutdown();
    }
    all.forEach(LineBatch::close);
    decoder.close();
    reader.close();
  }
}
