package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.RegularFile;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way to the upstream, in a file beside the journal: written as a whole under
 * another name and renamed, so that it is always that of one batch. Big endian:
 *
 * <pre>
 *  0 8 bytes  "HDRSOUT1"
 *  8 16 bytes instance; a secret
 * 24 int64    record of the journal up to which everything is framed
 * 32 int64    highest number that may have been sent when this was written
 * 40 int32    intervals, N
 * 44 int32    CRC-32C of bytes 0..43
 * 48          frames as in PROTOCOL.md: N INTERVAL, each after the SERIES of its id
 *  .          marks of 16 bytes, appended later: int32 what, int64 number, int32 CRC-32C of these
 * </pre>
 *
 * A mark 1 says that everything up to the number may have been sent, a 2 that it is settled. The
 * sender's thread, but for reading at the start.
 */
final class Outbox implements UpstreamLedger {
  static final String NAME = "upstream.outbox";
  static final long MAGIC = 0x484452534f555431L;
  static final int HEADER_BYTES = 48;
  static final int MARK_BYTES = 16;
  static final int SENDING = 1;
  static final int SETTLED = 2;

  private static final int WRITE_BYTES = 128 << 10;

  private final Path path;
  private final boolean fsync;
  private final CRC32C crc = new CRC32C();
  private @Nullable FileChannel file;
  private volatile long bytes;

  /**
   * The outbox in a folder that is this process's own.
   *
   * @param fsync whether what is written must survive a power failure
   */
  Outbox(Path folder, boolean fsync) {
    this.path = folder.resolve(NAME);
    this.fsync = fsync;
  }

  /**
   * What the last run left; nothing if there is no file.
   *
   * @param maxBytes of a file that can be read
   * @throws IOException when it cannot be read, or is damaged
   */
  Optional<State> read(long maxBytes) throws IOException {
    if (Files.notExists(path)) {
      return Optional.empty();
    }
    RegularFile.check(path);
    long size = Files.size(path);
    if (size > maxBytes) {
      throw new IOException(
          JournalConfig.DIRECTORY
              + ": "
              + path
              + " holds what is on its way to "
              + UpstreamConfig.ADDRESS
              + " and has "
              + size
              + " bytes, and this heap has room for "
              + maxBytes
              + "; start with more memory (-Xmx)");
    }
    return Optional.of(OutboxReader.read(Files.readAllBytes(path)));
  }

  /** Puts a damaged file out of the way, where it can be looked at. */
  void setAside() throws IOException {
    Files.move(
        path,
        path.resolveSibling(NAME + ".damaged"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Size of the file. Any thread. */
  long bytes() {
    return bytes;
  }

  @Override
  public void replace(State state) throws IOException {
    Path temporary = path.resolveSibling(NAME + ".tmp");
    Files.deleteIfExists(temporary);
    FileChannel created =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            permissions());
    try {
      write(state, created);
      if (fsync) {
        created.force(true);
      }
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
      if (fsync) {
        forceFolder();
      }
    } catch (IOException | RuntimeException e) {
      created.close();
      Files.deleteIfExists(temporary);
      throw e;
    }
    close();
    file = created;
    bytes = created.size();
  }

  private void write(State state, FileChannel to) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header
        .putLong(MAGIC)
        .putLong(state.instance().high())
        .putLong(state.instance().low())
        .putLong(state.position())
        .putLong(state.lastSent())
        .putInt(state.intervals().size());
    header.putInt(crcOf(header.array(), HEADER_BYTES - Integer.BYTES)).flip();
    ByteBuffer out = ByteBuffer.allocate(WRITE_BYTES);
    out.put(header);
    FrameEncoder frames = new FrameEncoder();
    Set<Integer> defined = new HashSet<>();
    for (UpstreamInterval interval : state.intervals()) {
      if (defined.add(interval.seriesId())) {
        SeriesDefinition definition = interval.definition();
        put(ByteBuffer.wrap(frames.series(interval.seriesId(), definition).take()), out, to);
      }
      put(interval.frame().duplicate(), out, to);
    }
    flush(out, to);
  }

  private static void put(ByteBuffer frame, ByteBuffer out, FileChannel to) throws IOException {
    if (out.remaining() < frame.remaining()) {
      flush(out, to);
    }
    if (out.remaining() < frame.remaining()) {
      writeAll(frame, to);
    } else {
      out.put(frame);
    }
  }

  private static void flush(ByteBuffer out, FileChannel to) throws IOException {
    writeAll(out.flip(), to);
    out.clear();
  }

  private static void writeAll(ByteBuffer from, FileChannel to) throws IOException {
    while (from.hasRemaining()) {
      to.write(from);
    }
  }

  private int crcOf(byte[] array, int length) {
    crc.reset();
    crc.update(array, 0, length);
    return (int) crc.getValue();
  }

  @Override
  public void sending(long sequence) throws IOException {
    mark(SENDING, sequence);
  }

  @Override
  public void settled(long sequence) throws IOException {
    mark(SETTLED, sequence);
  }

  /** Not in a file of the run before: a mark that was torn there would hide those behind it. */
  private void mark(int what, long sequence) throws IOException {
    FileChannel open = file;
    if (open == null) {
      throw new IOException(path + " was not written yet");
    }
    ByteBuffer mark = ByteBuffer.allocate(MARK_BYTES);
    mark.putInt(what).putLong(sequence);
    mark.putInt(crcOf(mark.array(), MARK_BYTES - Integer.BYTES)).flip();
    long before = open.size();
    try {
      writeAll(mark, open);
      if (fsync) {
        open.force(false);
      }
    } catch (IOException e) {
      open.truncate(before); // A torn mark would hide those behind it.
      throw e;
    }
    bytes = before + MARK_BYTES;
  }

  private FileAttribute<?>[] permissions() {
    boolean hasPermissions = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return hasPermissions
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))
        }
        : new FileAttribute<?>[0];
  }

  private void forceFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(path.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  /** Closes the file; it stays. */
  void close() throws IOException {
    FileChannel open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
