package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.journal.RegularFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A spill file, open for as long as it is worked on: whatever happens to its name meanwhile, what
 * is read is what was checked. One thread.
 *
 * <p>Others may write to the folder, and put anything there at any moment. So a symbolic link is
 * never followed. The file is opened to be read and written, which for a named pipe does not wait;
 * and it is read by position, which a pipe refuses, up to the size it had when it was opened.
 */
public final class SpillFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final @Nullable Object key;
  private final long size;

  private SpillFile(Path path, FileChannel channel, @Nullable Object key, long size) {
    this.path = path;
    this.channel = channel;
    this.key = key;
    this.size = size;
  }

  /**
   * Opens a file.
   *
   * @throws IOException when it is no regular file, belongs to nobody who may spill here, cannot be
   *     read and written, or is replaced meanwhile; says which
   */
  static SpillFile open(SpillFolder folder, Path path) throws IOException {
    BasicFileAttributes before = attributes(path);
    RegularFile.require(path, before);
    SpillOwners.of(folder).require(path);
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    try {
      if (!Objects.equals(before.fileKey(), attributes(path).fileKey())) {
        throw new IOException(path + " was replaced while it was opened");
      }
      return new SpillFile(path, channel, before.fileKey(), channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Where it is, or was when it was opened. */
  public Path path() {
    return path;
  }

  /** Its size when it was opened, in bytes. */
  public long size() {
    return size;
  }

  /** Whether it is the file of counters of a process, as its name says. */
  public boolean isCrashFile() {
    return SpillFolder.isCrashFile(path);
  }

  /** Whether it has not got its name yet. */
  public boolean isUnfinished() {
    return SpillFolder.isUnfinished(path);
  }

  /**
   * Whether nobody writes it any more, and it is still there: takes its lock, which its process has
   * for as long as it lives, until this is closed. A process that ends in an orderly way deletes
   * its file before it gives up the lock, maybe after the file was opened here.
   */
  public boolean isLeft() throws IOException {
    return !isCrashFile() || (channel.tryLock() != null && isInItsPlace());
  }

  private boolean isInItsPlace() throws IOException {
    try {
      return Objects.equals(key, attributes(path).fileKey());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Reads the bytes at a position, all that the target has room for.
   *
   * @throws EOFException when there are fewer
   */
  public void read(ByteBuffer target, long position) throws IOException {
    while (target.hasRemaining()) {
      int read = channel.read(target, position + target.position());
      if (read < 0) {
        throw new EOFException(path + " ends before byte " + (position + target.limit()));
      }
    }
  }

  /** Its contents from the beginning; need not be closed. */
  InputStream input() {
    return new Contents();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private final class Contents extends InputStream {
    private long position;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int wanted = (int) Math.min(length, size - position);
      if (wanted <= 0) {
        return length == 0 ? 0 : -1;
      }
      int read = channel.read(ByteBuffer.wrap(target, offset, wanted), position);
      position += Math.max(read, 0);
      return read;
    }
  }
}
