package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.receive.SpillFolderConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the files and folders that a configuration names can be used, changing nothing:
 * what would otherwise show at the start, one after the other.
 */
final class FileCheck {
  private static final String JOURNAL = "journal.directory";
  private static final String SOCKET = "ingest.unix-socket";

  private FileCheck() {}

  /** What is wrong, one line each; empty when all can be used. Blocks. */
  static List<String> problems(SidecarConfig config) {
    List<String> problems = mistakes(config);
    JournalConfig journal = config.journal();
    if (journal != null && problems.stream().noneMatch(p -> p.startsWith(JOURNAL))) {
      checkFolder(JOURNAL, journal.directory().toAbsolutePath(), true, problems);
    }
    return problems;
  }

  /**
   * Of these, what keeps the sidecar from starting. A journal that cannot be written does not: who
   * records must not suffer, and it may be written later.
   */
  static List<String> mistakes(SidecarConfig config) {
    List<String> problems = new ArrayList<>();
    try (AccessCheck access = new AccessCheck()) {
      access.look("ingest", config.receive().access());
      access.look("http", config.http().access());
      problems.addAll(access.problems());
    }
    UnixSocketConfig unix = config.receive().unix();
    if (unix != null) {
      checkSocket(unix, problems);
    }
    JournalConfig journal = config.journal();
    if (journal != null) {
      requireFolder(JOURNAL, journal.directory().toAbsolutePath(), problems);
    }
    SpillFolderConfig spill = config.spill();
    if (spill != null) {
      requireFolder("spill.folder", spill.folder().toAbsolutePath(), problems);
    }
    return problems;
  }

  private static void checkSocket(UnixSocketConfig unix, List<String> problems) {
    Path path = unix.path().toAbsolutePath();
    checkFolder(SOCKET, path.getParent(), false, problems);
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      problems.add(SOCKET + ": path is taken by another kind of file: " + path);
    }
    try {
      if (unix.group() != null) {
        path.getFileSystem()
            .getUserPrincipalLookupService()
            .lookupPrincipalByGroupName(unix.group());
      }
    } catch (IOException e) {
      problems.add("ingest.unix-group: no such group: " + unix.group());
    }
  }

  /** One that is there, or else the first above it that is, must be a folder. */
  private static void requireFolder(String setting, Path folder, List<String> problems) {
    @Nullable Path found = existing(folder);
    if (found != null && !Files.isDirectory(found)) {
      problems.add(setting + ": must be a folder, is a file: " + found);
    }
  }

  private static @Nullable Path existing(Path folder) {
    @Nullable Path found = folder;
    while (found != null && !Files.exists(found)) {
      found = found.getParent();
    }
    return found;
  }

  /** One that is created at start needs a folder above it that can be written to. */
  private static void checkFolder(
      String setting, @Nullable Path folder, boolean isCreated, List<String> problems) {
    @Nullable Path found = isCreated && folder != null ? existing(folder) : folder;
    if (found == null || !Files.exists(found)) {
      problems.add(
          setting
              + ": no such folder: "
              + folder
              + "; create it, or mount a volume there (in a pod: an emptyDir)");
    } else if (!Files.isDirectory(found)) {
      problems.add(setting + ": must be a folder, is a file: " + found);
    } else if (!Files.isWritable(found) || !Files.isExecutable(found)) {
      problems.add(
          setting
              + ": folder cannot be written to: "
              + found
              + "; give it to this user or a group of it (in a pod: securityContext.fsGroup), or"
              + " mount a writable volume there");
    }
  }
}
