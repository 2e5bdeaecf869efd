package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import io.hdrsidecar.sidecar.setting.SettingTypes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Unix socket for clients, for every process that may write to its file. */
public record UnixSocketConfig(
    @Setting(
            key = "ingest.unix-socket",
            form = SocketPath.FORM,
            help = "Unix socket for clients, beside TCP.",
            parser = SocketPath.class)
        Path path,
    @Setting(
            key = "ingest.unix-mode",
            form = "octal, such as 0660; empty for what the umask gives",
            help = "Permissions of the Unix socket; processes that may write to it may connect.",
            parser = Mode.class)
        @Nullable Set<PosixFilePermission> mode,
    @Setting(
            key = "ingest.unix-group",
            form = "name or number; empty for that of the process",
            help = "Group of the Unix socket.")
        @Nullable String group) {
  /**
   * The kernel keeps 108 bytes for the path, the last of them 0; of these Java takes 106, and
   * {@link UnixSocketFile} listens first at a path that has 6 more than this one.
   */
  private static final int MAX_PATH_BYTES = 100;

  /** Checks the length; throws IllegalArgumentException. */
  public UnixSocketConfig {
    requireShort(path);
    mode = mode == null ? null : Set.copyOf(mode);
  }

  private static void requireShort(Path path) {
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "path of a Unix socket must have at most "
              + MAX_PATH_BYTES
              + " bytes, has "
              + bytes
              + ": "
              + path);
    }
  }

  /** Where a Unix socket may be; null for nowhere. */
  public static final class SocketPath implements SettingParser {
    /** For people. */
    public static final String FORM =
        "path of at most " + MAX_PATH_BYTES + " bytes; empty for none";

    @Override
    public @Nullable Path parse(String text, long heapBytes) {
      Path path = SettingTypes.path(text);
      if (path != null) {
        requireShort(path);
      }
      return path;
    }
  }

  /** Permissions in octal, as chmod takes them. */
  public static final class Mode implements SettingParser {
    @Override
    public @Nullable Object parse(String text, long heapBytes) {
      if (text.isBlank()) {
        return null;
      }
      if (!text.strip().matches("0?[0-7]{3}")) {
        throw new IllegalArgumentException("not an octal mode such as 0660: " + text);
      }
      int bits = Integer.parseInt(text.strip(), 8);
      StringBuilder letters = new StringBuilder();
      for (int i = 8; i >= 0; i--) {
        letters.append((bits >> i & 1) == 0 ? '-' : "xwr".charAt(i % 3));
      }
      return PosixFilePermissions.fromString(letters.toString());
    }
  }
}
