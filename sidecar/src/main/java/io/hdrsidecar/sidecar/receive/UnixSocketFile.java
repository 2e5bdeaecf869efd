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

/**
 * The file of a Unix socket, which outlives a process that was killed and then keeps the next one
 * from listening.
 */
final class UnixSocketFile {
  private UnixSocketFile() {}

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
