package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of spill files: {@code spill-20231114T221320Z-<hash of the instance id>.hlog}, and of
 * crash files: {@code crash-20231114T221320Z-<hash of the instance id>-<process>.hdr}. Anything of
 * another name is left alone.
 *
 * <p>Why what is in a file is counted once:
 *
 * <ol>
 *   <li>A file is written as {@code .tmp}, flushed to the disk, and only then renamed: it is there
 *       whole or not at all. The client that wrote it has ended its connection before.
 *   <li>Its intervals have the instance id and sequence numbers under which they were or would have
 *       been sent, so a sidecar that has merged some of them knows those, as on a reconnect.
 *   <li>One at a time works on the folder, under a {@link SpillClaim}, which ends with its process.
 *   <li>A file is deleted when every interval in it is settled and durable. A process that ends
 *       before leaves the file, and the next finds by the sequence numbers what is left to do.
 * </ol>
 *
 * <p>The second point holds for the one sidecar (with its journal) that knows the numbers: a folder
 * belongs to one sidecar and the clients that send to it.
 *
 * <p>Files are readable by their owner alone, or by the group as well if the group may write to the
 * folder. Immutable; any thread.
 *
 * @param path where it is; need not exist yet
 */
public record SpillFolder(Path path) {
  private static final Pattern COMPLETE =
      Pattern.compile("spill-\\d{8}T\\d{6}Z-[0-9a-f]{32}\\.hlog");
  private static final Pattern CRASHED =
      Pattern.compile("crash-\\d{8}T\\d{6}Z-[0-9a-f]{32}-([0-9a-f]{16})\\.hdr");
  private static final Pattern UNFINISHED = Pattern.compile("(.+)\\.tmp");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_AND_GROUP =
      PosixFilePermissions.fromString("rw-rw----");

  /** A folder can have a million; the rest comes with the next look. */
  private static final int FILES_AT_A_TIME = 1_000;

  private static final int OTHERS_AT_A_TIME = 10;

  /** Writing a file takes seconds: one that is older was left by a process that died. */
  private static final Duration WRITING = Duration.ofMinutes(10);

  /**
   * Creates the folder for its owner alone, unless it is there.
   *
   * @return whether it was created
   * @throws IOException when there is none then, or it cannot be written to; says why
   */
  public boolean prepare() throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new IOException(path + " must be a folder, and is a file");
    }
    boolean isMissing = !Files.isDirectory(path);
    if (isMissing) {
      Files.createDirectories(path);
      permit(path, PosixFilePermissions.fromString("rwx------"));
    }
    if (!Files.isWritable(path)) {
      throw new IOException(path + ": cannot be written to by this process");
    }
    return isMissing;
  }

  /**
   * Claims the folder; empty while somebody else has it.
   *
   * @throws IOException when the folder is missing or cannot be written to
   */
  public Optional<SpillClaim> claim() throws IOException {
    return SpillClaim.of(this);
  }

  List<Path> files() throws IOException {
    SpillOwners owners = SpillOwners.of(this);
    OldestFiles toPickUp = new OldestFiles(FILES_AT_A_TIME);
    OldestFiles others = new OldestFiles(OTHERS_AT_A_TIME);
    try (Stream<Path> all = Files.list(path)) {
      all.filter(SpillFolder::isNamed)
          .forEach(file -> (isFile(owners, file) ? toPickUp : others).add(file));
    }
    return Stream.concat(toPickUp.inOrder(), others.inOrder()).toList();
  }

  private static boolean isNamed(Path file) {
    String name = String.valueOf(file.getFileName());
    Matcher unfinished = UNFINISHED.matcher(name);
    return unfinished.matches() ? isNamed(unfinished.group(1)) && isAbandoned(file) : isNamed(name);
  }

  private static boolean isNamed(String name) {
    Matcher crashed = CRASHED.matcher(name);
    return crashed.matches()
        ? !crashed.group(1).equals(ThisProcess.ID)
        : COMPLETE.matcher(name).matches();
  }

  /** Whether it is, by its name, a crash file. */
  static boolean isCrashFile(Path file) {
    return String.valueOf(file.getFileName()).startsWith("crash-");
  }

  /** Whether it is, by its name, a file that is not whole yet. */
  static boolean isUnfinished(Path file) {
    return UNFINISHED.matcher(String.valueOf(file.getFileName())).matches();
  }

  private static boolean isFile(SpillOwners owners, Path file) {
    try {
      owners.require(file);
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return false; // Who opens it is told the same.
    }
  }

  private static boolean isAbandoned(Path file) {
    try {
      FileTime written = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
      return written.toInstant().isBefore(Instant.now().minus(WRITING));
    } catch (IOException e) {
      return false; // It has got its name meanwhile.
    }
  }

  /** Where what this instance spills now will be. */
  Path complete(InstanceId instance, Instant now) {
    return path.resolve("spill-" + STAMP.format(now) + "-" + instance + ".hlog");
  }

  /**
   * Where the crash file of this instance will be. Its name says of which process it is: to close
   * any channel of a file ends this process' lock of it, so nobody here may open it again.
   */
  public Path crashFile(InstanceId instance, Instant now) {
    return path.resolve(
        "crash-" + STAMP.format(now) + "-" + instance + "-" + ThisProcess.ID + ".hdr");
  }

  /** What a file is called until it is whole. */
  public static Path temporary(Path complete) {
    return complete.resolveSibling(complete.getFileName() + ".tmp");
  }

  /** Gives a whole file its name, for good. */
  public void publish(Path temporary, Path complete) throws IOException {
    Files.move(temporary, complete, StandardCopyOption.ATOMIC_MOVE);
    force();
  }

  void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    force();
  }

  Path setAside(Path file) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".bad");
    Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    force();
    return aside;
  }

  /**
   * Without this, a power failure may undo a new name or a deletion. What was to be done is done by
   * then; not every system lets a folder be opened, and Windows does not.
   */
  private void force() {
    try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
      folder.force(true);
    } catch (IOException e) {
      // Not before: the first logger starts java.util.logging, which an agent leaves to main.
      System.getLogger(SpillFolder.class.getName())
          .log(Level.DEBUG, "folder cannot be flushed: " + path, e);
    }
  }

  /** What makes a new file its owner's alone from the start. */
  public FileAttribute<?>[] ownersAlone() {
    boolean hasPermissions = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return hasPermissions
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
        : new FileAttribute<?>[0];
  }

  /** Gives a new file, its owner's alone, to the group if the folder is the group's to write. */
  public void protect(Path file) throws IOException {
    try {
      if (Files.getPosixFilePermissions(path).contains(PosixFilePermission.GROUP_WRITE)) {
        // Not through a link that was put there meanwhile.
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setPermissions(OWNER_AND_GROUP);
      }
    } catch (UnsupportedOperationException e) {
      return; // A file system without such permissions.
    } catch (NoSuchFileException e) {
      throw new IOException(path + " has gone", e);
    }
  }

  private static void permit(Path file, Set<PosixFilePermission> permissions) throws IOException {
    try {
      Files.setPosixFilePermissions(file, permissions);
    } catch (UnsupportedOperationException e) {
      return; // A file system without such permissions.
    }
  }
}
