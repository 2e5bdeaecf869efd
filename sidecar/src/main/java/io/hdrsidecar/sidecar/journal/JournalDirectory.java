package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.RegularFile;
import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.input.FolderProblem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a journal: {@code intervals-20231114T221320Z-17.hlog}, whose records start with
 * number 17, and {@code checkpoint-20231114T221320Z-17.hlog}, which has all records before 17 (and,
 * of series it copied later, some more: it says so).
 */
final class JournalDirectory implements AutoCloseable {
  private static final Pattern NAME =
      Pattern.compile("(intervals|checkpoint)-(\\d{8}T\\d{6}Z)-(\\d{1,18})\\.hlog");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final String TEMPORARY = ".tmp";
  private static final String LOCK = "lock";
  private static final String INDEX = ".hlog" + IndexFile.SUFFIX;

  /**
   * A file.
   *
   * @param firstRecord of its records, or for a checkpoint the first that it may not have
   * @param createdMillis from its name, in whole seconds
   */
  record Entry(Path path, boolean isCheckpoint, long firstRecord, long createdMillis) {}

  private final Path path;
  private @Nullable FileChannel lockChannel;

  JournalDirectory(Path path) {
    this.path = path;
  }

  /**
   * Creates the directory and claims it for this process.
   *
   * @throws DirectoryInUseException when another process, or another sidecar of this one, has it
   * @throws IOException when it cannot be written
   */
  void claim() throws IOException {
    try {
      Files.createDirectories(path);
      if (lockChannel == null) {
        lock();
      }
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "access denied" : e.getReason();
      throw new IOException(
          FolderProblem.afterFailure(
              "journal.directory",
              path,
              e instanceof FileAlreadyExistsException ? "not a folder" : reason),
          e);
    }
  }

  /**
   * Refuses what has the name of a file here and is none: a thread that opens a named pipe waits,
   * perhaps for ever.
   *
   * @throws IOException naming it
   */
  void requireFiles() throws IOException {
    for (Path file : list()) {
      String name = String.valueOf(file.getFileName());
      boolean isOfJournal = name.endsWith(".hlog") || name.endsWith(INDEX) || name.equals(LOCK);
      if (isOfJournal && !Files.isDirectory(file)) {
        try {
          RegularFile.check(file);
        } catch (IOException e) {
          throw new IOException("journal.directory: " + e.getMessage(), e);
        }
      }
    }
  }

  private void lock() throws IOException {
    RegularFile.check(path.resolve(LOCK));
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(channel);
    if (lock == null) {
      channel.close();
      throw new DirectoryInUseException(
          "journal.directory: another sidecar writes its journal to " + path);
    }
    lockChannel = channel;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  Path intervals(Instant now, long firstRecord) {
    return path.resolve("intervals-" + STAMP.format(now) + "-" + firstRecord + ".hlog");
  }

  Path checkpoint(Instant now, long firstRecord) {
    return path.resolve("checkpoint-" + STAMP.format(now) + "-" + firstRecord + ".hlog");
  }

  static Path temporary(Path complete) {
    return complete.resolveSibling(complete.getFileName() + TEMPORARY);
  }

  /**
   * The attributes that make a new file readable by its owner and group alone: instance ids are
   * secrets.
   */
  FileAttribute<?>[] permissions() {
    boolean hasPermissions = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return hasPermissions
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))
        }
        : new FileAttribute<?>[0];
  }

  /** Journal files, in the order of their records. */
  List<Entry> intervals() throws IOException {
    return entries(false);
  }

  /** Checkpoints, the oldest first. */
  List<Entry> checkpoints() throws IOException {
    return entries(true);
  }

  private List<Entry> entries(boolean checkpoints) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Path file : list()) {
      Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
      if (name.matches()
          && name.group(1).equals("checkpoint") == checkpoints
          && !Files.isDirectory(file)) {
        entries.add(
            new Entry(file, checkpoints, Long.parseLong(name.group(3)), millis(name.group(2))));
      }
    }
    entries.sort(
        Comparator.comparingLong(Entry::firstRecord).thenComparingLong(Entry::createdMillis));
    return entries;
  }

  /** Folders that are called like files of a journal: they hold none of it. */
  List<Path> misnamedFolders() throws IOException {
    return list().stream()
        .filter(file -> NAME.matcher(String.valueOf(file.getFileName())).matches())
        .filter(Files::isDirectory)
        .toList();
  }

  private static long millis(String stamp) {
    try {
      return STAMP.parse(stamp, Instant::from).toEpochMilli();
    } catch (DateTimeException e) {
      return 0;
    }
  }

  private List<Path> list() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.toList();
    }
  }

  /**
   * Deletes checkpoints and indexes that were being written when the process ended, and indexes of
   * files that are gone.
   */
  void deleteTemporary() throws IOException {
    for (Path file : list()) {
      String name = String.valueOf(file.getFileName());
      boolean isTemporary = name.endsWith(".hlog" + TEMPORARY) || name.endsWith(INDEX + TEMPORARY);
      boolean isLeft =
          name.endsWith(INDEX)
              && NAME.matcher(withoutIndex(name)).matches()
              && !Files.exists(file.resolveSibling(withoutIndex(name)));
      if (isTemporary || isLeft) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static String withoutIndex(String name) {
    return name.substring(0, name.length() - IndexFile.SUFFIX.length());
  }

  /** Makes new names last: without this, a power failure may undo a rename. */
  void force() throws IOException {
    try (FileChannel directory = FileChannel.open(path, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  /** Gives the claim up. */
  @Override
  public void close() throws IOException {
    FileChannel claimed = lockChannel;
    lockChannel = null;
    if (claimed != null) {
      claimed.close();
    }
  }
}
