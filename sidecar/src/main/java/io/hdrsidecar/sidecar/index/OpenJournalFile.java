package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of the journal that one query reads, open: it can be read even when it is deleted. One
 * thread at a time.
 */
final class OpenJournalFile implements AutoCloseable {
  private final Path path;
  private final RecordRanges earlier;
  private final long upTo;
  private final FileChannel log;
  private final RecordAdder adder;
  private final @Nullable IndexFile index;
  private final @Nullable FileChannel indexChannel;
  private final @Nullable SharedIndex active;

  private OpenJournalFile(
      LogWithIndex file,
      RecordRanges earlier,
      long upTo,
      FileChannel log,
      RecordAdder adder,
      @Nullable FileChannel indexChannel) {
    this.path = file.path();
    this.earlier = earlier;
    this.upTo = upTo;
    this.log = log;
    this.adder = adder;
    this.index = file.index();
    this.indexChannel = indexChannel;
    this.active = file.active();
  }

  /**
   * Opens a file.
   *
   * @param earlier records that files before it have; not changed any more
   * @param upTo the last record that it has by now
   */
  static OpenJournalFile open(LogWithIndex file, RecordRanges earlier, long upTo, RecordAdder adder)
      throws IOException {
    FileChannel log = FileChannel.open(file.path(), StandardOpenOption.READ);
    try {
      IndexFile index = file.index();
      FileChannel indexChannel = index == null ? null : index.openChannel();
      return new OpenJournalFile(file, earlier, upTo, log, adder, indexChannel);
    } catch (IOException | RuntimeException | Error e) {
      log.close();
      throw e;
    }
  }

  /** The series with this hash and the places of their lines. */
  List<IndexFile.Found> find(long hash) throws IOException {
    SharedIndex open = active;
    if (open != null) {
      return open.find(hash);
    }
    IndexFile closed = index;
    FileChannel channel = indexChannel;
    return closed == null || channel == null ? List.of() : closed.find(channel, hash);
  }

  /** Whether a record counts here: not one that an earlier file has, nor one that came later. */
  boolean has(long record) {
    return record <= upTo && !earlier.contains(record);
  }

  /** Reads a record and adds its counts. */
  void add(long offset, int length, long record, IntervalSum sum) throws IOException {
    try {
      adder.add(log, offset, length, record, sum);
    } catch (IOException e) {
      throw new IOException(
          "record " + record + " in " + path.getFileName() + ": " + e.getMessage(), e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    closeQuietly(log);
    closeQuietly(indexChannel);
  }

  /** Nothing was written, so nothing can be lost by it. */
  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      System.getLogger(OpenJournalFile.class.getName())
          .log(System.Logger.Level.DEBUG, "event=journal_close_failed", e);
    }
  }
}
