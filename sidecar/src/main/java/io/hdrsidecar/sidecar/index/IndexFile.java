package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The index of a journal file that is complete, as a file beside it: {@code
 * intervals-20231114T221320Z-17.hlog.index}. Of a query about one series it lets find and read just
 * what is about that series.
 *
 * <pre>
 *  0 int64  "HDRSIDX" and version 1      32 int64  end of the last interval
 *  8 int64  length of the log            40 int64  intervals
 * 16 int32  CRC-32C of its last 4 KiB    48 int32  number of entries N
 * 20 int32  0                            52 int32  number of ranges of records R
 * 24 int64  start of the first interval
 * 56 N entries of 40 bytes, by rising hash:
 *      0 int64  hash of name, labels and unit    24 int64  offset of its texts in this file
 *      8 int64  start of the first interval      32 int32  bytes of its definition
 *     16 int64  end of the last                  36 int32  bytes of its list of lines
 *    R ranges of 16 bytes: int64 first record, int64 last record
 *    for each entry, its definition as in the log, and its list as {@link LineList} draws it
 *    int32 CRC-32C of everything before
 * </pre>
 *
 * <p>It is believed when its own checksum is right and the log has the length and the end it was
 * made from; and even then each record says itself, with a checksum of its own, which one it is.
 */
public final class IndexFile {
  /** What the name of the log is followed by. */
  public static final String SUFFIX = ".index";

  private static final long MAGIC = 0x4844525349445801L;
  private static final int HEADER_BYTES = 56;
  private static final int ENTRY_BYTES = 40;
  private static final int RANGE_BYTES = 16;
  private static final int TAIL_BYTES = 4096;
  private static final int COPY_BYTES = 256 << 10;

  private final Path path;
  private final HistoryExtent extent;
  private final long lines;
  private final int entries;
  private final RecordRanges records;

  private IndexFile(
      Path path, HistoryExtent extent, long lines, int entries, RecordRanges records) {
    this.path = path;
    this.extent = extent;
    this.lines = lines;
    this.entries = entries;
    this.records = records;
  }

  /**
   * An entry: what is known of a series without reading its lines.
   *
   * @param hash of name, labels and unit
   */
  record Entry(long hash, HistoryExtent extent, long offset, int definitionBytes, int listBytes) {}

  /** Where the index of this log is. */
  public static Path beside(Path log) {
    return log.resolveSibling(log.getFileName() + SUFFIX);
  }

  /**
   * Writes the index of a complete log, and gives it its name when it is whole.
   *
   * @throws IOException when it cannot be written; then there is none
   */
  public static IndexFile write(IndexInMemory index, Path log) throws IOException {
    Path path = beside(log);
    Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
    try {
      IndexFile written = write(index, log, path, temporary);
      Files.move(
          temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return written;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private record Hashed(long hash, IndexedSeries series, ByteBuffer text, ByteBuffer list) {}

  private static IndexFile write(IndexInMemory index, Path log, Path path, Path temporary)
      throws IOException {
    List<Hashed> series = new ArrayList<>();
    long size = Integer.BYTES + (long) RANGE_BYTES * index.records().size() + HEADER_BYTES;
    for (IndexedSeries each : index.series()) {
      SeriesText text = SeriesText.decode(each.text());
      long hash = SeriesHash.of(text.definition().key(), text.definition().unit());
      Hashed hashed =
          new Hashed(
              hash,
              each,
              ByteBuffer.wrap(each.textBytes()),
              ByteBuffer.wrap(each.lines().written()));
      series.add(hashed);
      size += ENTRY_BYTES + hashed.text().remaining() + hashed.list().remaining();
    }
    series.sort(Comparator.comparingLong(Hashed::hash));
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    out.putLong(MAGIC).putLong(Files.size(log)).putInt(tail(log)).putInt(0);
    out.putLong(index.extent().fromMillis()).putLong(index.extent().toMillis());
    out.putLong(index.lines()).putInt(series.size()).putInt(index.records().size());
    long offset =
        HEADER_BYTES
            + (long) ENTRY_BYTES * series.size()
            + (long) RANGE_BYTES * index.records().size();
    for (Hashed each : series) {
      LineList list = each.series().lines();
      out.putLong(each.hash()).putLong(list.fromMillis()).putLong(list.toMillis());
      out.putLong(offset).putInt(each.text().remaining()).putInt(each.list().remaining());
      offset += each.text().remaining() + each.list().remaining();
    }
    for (int i = 0; i < index.records().size(); i++) {
      out.putLong(index.records().firstOf(i)).putLong(index.records().lastOf(i));
    }
    for (Hashed each : series) {
      out.put(each.text()).put(each.list());
    }
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    out.putInt((int) crc.getValue()).flip();
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (out.hasRemaining()) {
        channel.write(out);
      }
    }
    return new IndexFile(path, index.extent(), index.lines(), series.size(), index.records());
  }

  /**
   * Opens the index of a log, if there is one that is whole and was made from this log as it is.
   *
   * @throws IOException saying what is wrong with it: it has to be made again
   */
  public static IndexFile open(Path log) throws IOException {
    Path path = beside(log);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      requireChecksum(channel, size);
      ByteBuffer header = read(channel, 0, HEADER_BYTES);
      if (header.getLong() != MAGIC) {
        throw new IOException("is no index, or of another version");
      }
      if (header.getLong() != Files.size(log) || header.getInt() != tail(log)) {
        throw new IOException("was made from another file, or from this one before it changed");
      }
      header.getInt();
      HistoryExtent extent = new HistoryExtent(header.getLong(), header.getLong());
      long lines = header.getLong();
      int entries = header.getInt();
      int ranges = header.getInt();
      RecordRanges records = new RecordRanges();
      ByteBuffer written =
          read(
              channel,
              HEADER_BYTES + (long) ENTRY_BYTES * entries,
              Math.multiplyExact(RANGE_BYTES, ranges));
      for (int i = 0; i < ranges; i++) {
        records.add(written.getLong(), written.getLong());
      }
      return new IndexFile(path, extent, lines, entries, records);
    }
  }

  private static void requireChecksum(FileChannel channel, long size) throws IOException {
    if (size < HEADER_BYTES + Integer.BYTES) {
      throw new IOException("is too short");
    }
    CRC32C crc = new CRC32C();
    long covered = size - Integer.BYTES;
    for (long at = 0; at < covered; at += COPY_BYTES) {
      crc.update(read(channel, at, (int) Math.min(COPY_BYTES, covered - at)));
    }
    if (read(channel, covered, Integer.BYTES).getInt() != (int) crc.getValue()) {
      throw new IOException("is damaged: its checksum is wrong");
    }
  }

  /** CRC-32C of the last bytes of a file. */
  private static int tail(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      long from = Math.max(0, channel.size() - TAIL_BYTES);
      CRC32C crc = new CRC32C();
      crc.update(read(channel, from, (int) (channel.size() - from)));
      return (int) crc.getValue();
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new EOFException("is too short");
      }
    }
    return bytes.flip();
  }

  /** From when to when there are intervals. */
  public HistoryExtent extent() {
    return extent;
  }

  /** The numbers of all records of the log. */
  public RecordRanges records() {
    return records;
  }

  /** How many intervals the log has. */
  public long lines() {
    return lines;
  }

  /** Of all series of the log, by rising hash. Opens the file. */
  List<Entry> entries() throws IOException {
    List<Entry> all = new ArrayList<>(entries);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer written = read(channel, HEADER_BYTES, Math.multiplyExact(ENTRY_BYTES, entries));
      for (int i = 0; i < entries; i++) {
        all.add(entry(written));
      }
    }
    return all;
  }

  private static Entry entry(ByteBuffer written) {
    return new Entry(
        written.getLong(),
        new HistoryExtent(written.getLong(), written.getLong()),
        written.getLong(),
        written.getInt(),
        written.getInt());
  }

  /** The definitions of these entries, in their order. Opens the file. */
  List<SeriesText> definitions(List<Entry> some) throws IOException {
    List<SeriesText> definitions = new ArrayList<>(some.size());
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      for (Entry each : some) {
        definitions.add(definition(read(channel, each.offset(), each.definitionBytes())));
      }
    }
    return definitions;
  }

  private static SeriesText definition(ByteBuffer written) throws IOException {
    try {
      return SeriesText.decode(StandardCharsets.UTF_8.decode(written).toString());
    } catch (IllegalArgumentException e) {
      throw new IOException("has a series that cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * A series of the log with the places of its lines.
   *
   * @param definition its name, labels, unit and layout
   */
  record Found(SeriesText definition, LineList lines) {}

  /**
   * The series with this hash, of whatever layout and beginning. O(log entries), and what is found.
   *
   * @param channel of {@link #openChannel}
   */
  List<Found> find(FileChannel channel, long hash) throws IOException {
    List<Found> found = new ArrayList<>();
    for (int i = firstWith(channel, hash); i < entries; i++) {
      Entry entry = entry(entryBytes(channel, i));
      if (entry.hash() != hash) {
        break;
      }
      ByteBuffer both = read(channel, entry.offset(), entry.definitionBytes() + entry.listBytes());
      SeriesText definition = definition(both.slice(0, entry.definitionBytes()));
      byte[] list = new byte[entry.listBytes()];
      both.get(entry.definitionBytes(), list);
      found.add(new Found(definition, new LineList(list)));
    }
    return found;
  }

  /** Opens it; it can be read even when it is deleted afterwards. */
  FileChannel openChannel() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  private static ByteBuffer entryBytes(FileChannel channel, int i) throws IOException {
    return read(channel, HEADER_BYTES + (long) ENTRY_BYTES * i, ENTRY_BYTES);
  }

  private int firstWith(FileChannel channel, long hash) throws IOException {
    int low = 0;
    int high = entries;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entryBytes(channel, middle).getLong() < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
