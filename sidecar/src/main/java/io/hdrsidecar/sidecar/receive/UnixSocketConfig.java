package io.hdrsidecar.sidecar.receive;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket for clients, and who may connect to it: whoever may write to its file.
 *
 * @param path at most 100 characters
 * @param mode permissions of the file; null leaves what the umask of the process gives
 * @param group name or number of the group of the file; null leaves that of the process
 */
public record UnixSocketConfig(
    Path path, @Nullable Set<PosixFilePermission> mode, @Nullable String group) {
  /** The kernel keeps 108 bytes for the path, the last of them 0. */
  private static final int MAX_PATH_LENGTH = 100;

  /** Checks the length; throws IllegalArgumentException. */
  public UnixSocketConfig {
    if (path.toString().length() > MAX_PATH_LENGTH) {
      throw new IllegalArgumentException(
          "ingest.unix-socket: path must have at most "
              + MAX_PATH_LENGTH
              + " characters, has "
              + path.toString().length()
              + ": "
              + path);
    }
    mode = mode == null ? null : Set.copyOf(mode);
  }
}
