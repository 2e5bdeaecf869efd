package io.hdrsidecar.sidecar.receive;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/**
 * The file of a Unix socket, which outlives a process that was killed and then keeps the next one
 * from listening, and whose permissions say who may connect.
 */
final class UnixSocketFile {
  private UnixSocketFile() {}

  /**
   * Checks what can be checked before listening, and removes a socket that nobody listens on.
   *
   * @throws IOException naming the setting and what is wrong
   */
  static boolean prepare(UnixSocketConfig config) throws IOException {
    Path folder = config.path().toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("ingest.unix-socket: no such folder: " + folder);
    }
    if (!Files.isWritable(folder)) {
      throw new IOException("ingest.unix-socket: folder cannot be written to: " + folder);
    }
    if (config.group() != null) {
      group(config.path(), config.group());
    }
    return removeStale(config.path());
  }

  private static GroupPrincipal group(Path path, String name) throws IOException {
    try {
      return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
    } catch (UserPrincipalNotFoundException e) {
      throw new IOException("ingest.unix-group: no such group: " + name, e);
    }
  }

  /**
   * Lets in who is to be let in; the group first, so that the mode never holds for another one.
   *
   * @throws IOException when the process may not do so
   */
  static void permit(UnixSocketConfig config) throws IOException {
    if (config.group() != null) {
      try {
        Files.getFileAttributeView(config.path(), PosixFileAttributeView.class)
            .setGroup(group(config.path(), config.group()));
      } catch (IOException e) {
        throw new IOException(
            "ingest.unix-group: "
                + config.group()
                + " cannot be given to the socket; the sidecar must be a member of it: "
                + e.getMessage(),
            e);
      }
    }
    if (config.mode() != null) {
      Files.setPosixFilePermissions(config.path(), config.mode());
    }
  }

  /**
   * Removes a socket that nobody listens on.
   *
   * @return whether there was one
   * @throws IOException when the path is something else, or somebody listens there
   */
  static boolean removeStale(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new IOException("path of the Unix socket is taken by another kind of file: " + path);
    }
    if (isListening(path)) {
      throw new IOException("another process listens on the Unix socket " + path);
    }
    return remove(path);
  }

  private static boolean isListening(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException refused) {
      return false;
    }
  }

  /** Removes the file if it is there. */
  static boolean remove(Path path) throws IOException {
    return Files.deleteIfExists(path);
  }
}
