package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.journal.RegularFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to pick up the files of a folder: one holder at a time, over all processes. It is the
 * lock of the file {@code spill.lock}, which the kernel gives up when its process ends, however it
 * ends; so what a dead process had begun is open to the next.
 *
 * <p>Such locks belong to processes, and closing any channel of the file gives up its process'
 * lock. Within this process a claim is therefore asked for here first, before the file is opened.
 */
public final class SpillClaim implements AutoCloseable {
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private static final Set<OpenOption> PRESENT =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private final SpillFolder folder;
  private final Path key;
  private final FileChannel channel;

  private SpillClaim(SpillFolder folder, Path key, FileChannel channel) {
    this.folder = folder;
    this.key = key;
    this.channel = channel;
  }

  static Optional<SpillClaim> of(SpillFolder folder) throws IOException {
    Path key = folder.path().toRealPath();
    if (!HELD_HERE.add(key)) {
      return Optional.empty();
    }
    Optional<SpillClaim> claim = Optional.empty();
    try {
      claim = lock(folder, key);
    } finally {
      if (claim.isEmpty()) {
        HELD_HERE.remove(key);
      }
    }
    return claim;
  }

  private static Optional<SpillClaim> lock(SpillFolder folder, Path key) throws IOException {
    FileChannel channel = open(folder, folder.path().resolve("spill.lock"));
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return Optional.empty(); // Another class loader of this process has a copy of this class.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    return lock == null ? Optional.empty() : Optional.of(new SpillClaim(folder, key, channel));
  }

  /** To be read and written, as opening a named pipe for one of both may wait for ever. */
  private static FileChannel open(SpillFolder folder, Path file) throws IOException {
    try {
      FileChannel.open(file, NEW, folder.ownersAlone()).close();
      folder.protect(file);
    } catch (FileAlreadyExistsException e) {
      RegularFile.check(file, LinkOption.NOFOLLOW_LINKS);
    }
    return FileChannel.open(file, PRESENT);
  }

  /**
   * Opens one of these files.
   *
   * @throws IOException when it is no regular file of somebody who may spill here, or cannot be
   *     opened
   */
  public SpillFile open(Path file) throws IOException {
    return SpillFile.open(folder, file);
  }

  /**
   * The files to pick up, the oldest first: those that are complete, and those that a process has
   * begun and left ten minutes ago; a thousand at most. Behind them come up to ten that have such a
   * name and cannot be opened, so that somebody is told.
   */
  public List<Path> files() throws IOException {
    return folder.files();
  }

  /** Deletes a file whose intervals are all settled, for good. */
  public void delete(Path file) throws IOException {
    folder.delete(file);
  }

  /**
   * Renames a damaged file to {@code .bad}, which nobody picks up.
   *
   * @return its new name
   */
  public Path setAside(Path file) throws IOException {
    return folder.setAside(file);
  }

  /** Gives the claim up. Idempotent. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try {
        channel.close();
      } finally {
        HELD_HERE.remove(key);
      }
    }
  }
}
