package io.hdrsidecar.spill;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
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
    Path file = folder.path().resolve("spill.lock");
    boolean isNew = !Files.exists(file);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      if (isNew) {
        folder.protect(file);
      }
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

  /**
   * The files to pick up, the oldest first: those that are complete, and those that a process has
   * begun and left ten minutes ago.
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
