package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.input.FolderProblem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The file of a Unix socket, which outlives a process that was killed and then keeps the next one
 * from listening, and whose permissions say who may connect.
 */
public final class UnixSocketFile {
  private static final String SOCKET = "ingest.unix-socket";
  private static final String GROUP = "ingest.unix-group";

  /** Of a hidden folder's name, whose letters and digits number it. */
  private static final String PREFIX = ".h";

  private static final int NUMBERS = 36 * 36 * 36;
  private static final FileAttribute<?> OURS_ALONE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final UnixSocketConfig config;
  private final String groupSetting;
  private final Path folder;
  private final Path hidden;

  private UnixSocketFile(UnixSocketConfig config, String groupSetting, Path folder) {
    this.config = config;
    this.groupSetting = groupSetting;
    this.folder = folder;
    this.hidden = folder.resolve("s");
  }

  /**
   * Checks what can be checked before listening, removes a socket that nobody listens on, and makes
   * a folder that only this user can look into: a socket is open to all that umask lets in from the
   * moment it is there.
   *
   * @throws IOException naming the setting and what is wrong
   */
  static UnixSocketFile prepare(UnixSocketConfig config) throws IOException {
    return prepare(config, SOCKET, GROUP);
  }

  /**
   * The same for a socket of others.
   *
   * @param setting that names its path
   * @param groupSetting that names its group
   */
  public static UnixSocketFile prepare(UnixSocketConfig config, String setting, String groupSetting)
      throws IOException {
    Path folder = config.path().toAbsolutePath().getParent();
    Optional<String> problem = FolderProblem.of(setting, folder);
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
    if (config.group() != null) {
      group(config.path(), config.group(), groupSetting);
    }
    removeStale(config.path(), setting);
    return new UnixSocketFile(config, groupSetting, hiddenFolder(config.path()));
  }

  /**
   * Beside the socket, as it is moved, and with a short name, as the socket in it must be one that
   * the kernel takes: its path has at most 6 bytes more than that of the socket, and Java and the
   * kernel take 6 more than {@link UnixSocketConfig} does. Relative where the socket's is, for the
   * same.
   */
  private static Path hiddenFolder(Path socket) throws IOException {
    SecureRandom random = new SecureRandom();
    for (int attempt = 0; attempt < NUMBERS; attempt++) {
      String number = Integer.toString(NUMBERS + random.nextInt(NUMBERS), Character.MAX_RADIX);
      Path folder = socket.resolveSibling(PREFIX + number.substring(1));
      try {
        return Files.createDirectory(folder, OURS_ALONE);
      } catch (FileAlreadyExistsException taken) {
        // Another number, then.
      }
    }
    throw new IOException(
        "no name is free for a hidden folder beside "
            + socket
            + ": remove the "
            + PREFIX
            + "* there");
  }

  /** Where to listen at first. */
  public Path hidden() {
    return hidden;
  }

  /**
   * Lets in who is to be let in, and then shows the socket where clients look for it.
   *
   * @throws IOException when the process may not do so
   */
  public Path publish() throws IOException {
    permit();
    return Files.move(hidden, config.path());
  }

  /** Removes what is left where the socket was hidden. */
  public boolean discardHidden() throws IOException {
    Files.deleteIfExists(hidden);
    return Files.deleteIfExists(folder);
  }

  private static GroupPrincipal group(Path path, String name, String setting) throws IOException {
    try {
      return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
    } catch (UserPrincipalNotFoundException e) {
      throw new IOException(setting + ": no such group: " + name, e);
    }
  }

  /** The group first, so that the mode never holds for another one. */
  private void permit() throws IOException {
    if (config.group() != null) {
      try {
        Files.getFileAttributeView(hidden, PosixFileAttributeView.class)
            .setGroup(group(config.path(), config.group(), groupSetting));
      } catch (FileSystemException e) {
        throw ListenException.ofGroup(groupSetting, config.group(), config.path(), e);
      }
    }
    if (config.mode() != null) {
      Files.setPosixFilePermissions(hidden, config.mode());
    }
  }

  /**
   * Removes a socket that nobody listens on.
   *
   * @return whether there was one
   * @throws IOException when the path is something else, or somebody listens there
   */
  static boolean removeStale(Path path) throws IOException {
    return removeStale(path, SOCKET);
  }

  private static boolean removeStale(Path path, String setting) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new IOException(setting + ": path is taken by another kind of file: " + path);
    }
    if (isListening(path)) {
      throw new IOException(setting + ": another process listens on " + path);
    }
    return remove(path);
  }

  private static boolean isListening(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return false;
    } catch (SocketException ofAnotherKind) {
      return true; // Somebody takes datagrams there.
    }
  }

  /** Removes the file if it is there. */
  public static boolean remove(Path path) throws IOException {
    return Files.deleteIfExists(path);
  }
}
