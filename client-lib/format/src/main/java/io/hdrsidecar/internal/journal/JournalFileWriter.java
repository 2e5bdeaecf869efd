package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * One file being written. Series and instances are defined in it before they are first used, so
 * every file can be read alone. Text gathers in memory until {@link #write}. Writer thread only.
 */
public final class JournalFileWriter implements AutoCloseable {
  private static final Set<OpenOption> AFRESH =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  /** Entries of two maps, and the objects of a definition, beside its text. */
  private static final long DEFINITION_BYTES = 300;

  private static final long INSTANCE_BYTES = 112;

  private final Path path;
  private final FileChannel channel;
  private final JournalFormat format;
  private final Map<SeriesText, Integer> series = new HashMap<>();
  private final Map<JournalSeries, Integer> known = new HashMap<>();
  private final Map<InstanceId, Integer> instances = new HashMap<>();
  private long written;
  private long lines;
  private long definedBytes;
  private long instanceBytes;
  private int definitions;
  private long recordOffset;

  private JournalFileWriter(Path path, FileChannel channel, TextBuffer text) {
    this.path = path;
    this.channel = channel;
    this.format = new JournalFormat(text);
  }

  /**
   * Creates a file, or empties the one there is, and writes its header.
   *
   * @param text emptied; used by this file alone until it is closed
   * @param attributes such as permissions, of a file that was not there
   */
  public static JournalFileWriter create(
      Path path, TextBuffer text, long nowMillis, long firstRecord, FileAttribute<?>... attributes)
      throws IOException {
    RegularFile.check(path);
    return begin(path, FileChannel.open(path, AFRESH, attributes), text, nowMillis, firstRecord);
  }

  /**
   * Creates a file where others may write, too, and writes its header. Nothing that is there
   * already is touched, and no link is followed.
   *
   * @param text emptied; used by this file alone until it is closed
   * @param attributes such as permissions
   * @throws java.nio.file.FileAlreadyExistsException when anything has that name
   */
  public static JournalFileWriter createNew(
      Path path, TextBuffer text, long nowMillis, long firstRecord, FileAttribute<?>... attributes)
      throws IOException {
    return begin(path, FileChannel.open(path, NEW, attributes), text, nowMillis, firstRecord);
  }

  private static JournalFileWriter begin(
      Path path, FileChannel channel, TextBuffer text, long nowMillis, long firstRecord)
      throws IOException {
    text.clear();
    JournalFileWriter file = new JournalFileWriter(path, channel, text);
    file.format.header(nowMillis, firstRecord);
    try {
      file.write();
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return file;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Bytes in the file and waiting for it. */
  public long size() {
    return written + format.out().size();
  }

  /** Bytes waiting for {@link #write}. */
  public int unwrittenBytes() {
    return format.out().size();
  }

  /** Intervals, totals, sequences, goodbyes and ends appended. */
  public long lines() {
    return lines;
  }

  /** Memory of the definitions that are remembered, so that each is written once; an estimate. */
  public long definedBytes() {
    return definedBytes;
  }

  /** What of that a series takes. */
  public static long definedBytes(JournalSeries series) {
    return DEFINITION_BYTES + 2L * series.definitionText().length();
  }

  /** Appends an interval. */
  public void interval(JournalEntry entry, JournalSeries ofSeries, InstanceId sender) {
    int seriesNumber = define(ofSeries);
    int instance = sender.high() == 0 && sender.low() == 0 ? 0 : define(sender);
    recordOffset = size();
    format.interval(entry, ofSeries, seriesNumber, instance);
    lines++;
  }

  /** Where the interval appended last begins: with its comment. It ends where the file does. */
  public long recordOffset() {
    return recordOffset;
  }

  /** A time as lines tell it, which have those of the years 1970 to 9999. */
  public static long lineMillis(long millis) {
    return Math.max(0, Math.min(millis, JournalFormat.MAX_MILLIS));
  }

  /** Appends a total of a checkpoint, the only one of its series, so its definition is let go. */
  public void total(JournalEntry entry, JournalSeries ofSeries) {
    definitions++;
    format.series(definitions, ofSeries.definitionText());
    format.total(entry, ofSeries, definitions);
    lines++;
  }

  /** Appends that an instance said GOODBYE. */
  public void goodbye(long record, InstanceId sender) {
    format.goodbye(record, define(sender));
    lines++;
  }

  /** Appends the end of a series: what comes of its name and labels after this counts from 0. */
  public void seriesEnd(long record, JournalSeries ended) {
    format.seriesEnd(record, define(ended));
    lines++;
  }

  /**
   * Appends the last sequence number of an instance, in a checkpoint.
   *
   * @param nowMillis milliseconds since the epoch; for people
   * @param awayMillis for how many milliseconds of running time it has not been heard of
   */
  public void sequence(
      InstanceId id, long sequence, long nowMillis, long awayMillis, boolean saidGoodbye) {
    format.sequence(id, sequence, nowMillis, awayMillis, saidGoodbye);
    lines++;
  }

  /**
   * Appends when what follows is written.
   *
   * @param wallMillis milliseconds since the epoch, by a clock that may be set
   * @param uptimeMillis for how many milliseconds the machine runs
   * @param boot which start of the machine that counts from, without blanks; empty when unknown
   */
  public void time(long wallMillis, long uptimeMillis, String boot) {
    format.time(wallMillis, uptimeMillis, boot);
  }

  /** Appends what a reader knows by that the file is whole. */
  public void end(long lastRecord) {
    format.end(lines, lastRecord);
  }

  /** Appends the labels that all series of the sender have; definitions of series repeat them. */
  public void commonLabels(Labels labels) {
    format.commonLabels(labels);
  }

  /**
   * Appends that what follows does not use the definitions of series so far, so that neither reader
   * nor writer need keep them.
   */
  public void forgetSeries() {
    series.clear();
    known.clear();
    definedBytes = instanceBytes;
    format.forget(definitions + 1);
  }

  private int define(JournalSeries wanted) {
    Integer number = known.get(wanted);
    if (number == null) {
      number = series.get(wanted.text());
      if (number == null) {
        number = ++definitions;
        series.put(wanted.text(), number);
        format.series(number, wanted.definitionText());
        definedBytes += definedBytes(wanted);
      }
      known.put(wanted, number);
    }
    return number;
  }

  private int define(InstanceId wanted) {
    Integer number = instances.get(wanted);
    if (number == null) {
      number = instances.size() + 1;
      instances.put(wanted, number);
      instanceBytes += INSTANCE_BYTES;
      definedBytes += INSTANCE_BYTES;
      format.instance(number, wanted);
    }
    return number;
  }

  /** Hands what was appended to the operating system. */
  public void write() throws IOException {
    var contents = format.out().contents();
    while (contents.hasRemaining()) {
      written += channel.write(contents);
    }
    format.out().clear();
  }

  /** Waits until all that was written is on the disk. */
  public void force() throws IOException {
    channel.force(false);
  }

  /** Cuts off what was written behind this size. */
  public void truncate(long size) throws IOException {
    channel.truncate(size);
  }

  /** Closes without writing more. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
