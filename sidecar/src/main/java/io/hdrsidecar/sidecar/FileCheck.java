package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.log.JournalConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the files and folders that a configuration names can be used, changing nothing:
 * what would otherwise show at the start, one after the other.
 */
final class FileCheck {
  private FileCheck() {}

  /** What is wrong, one line each; empty when all can be used. Blocks. */
  static List<String> problems(SidecarConfig config) {
    List<String> problems = new ArrayList<>();
    try (AccessCheck access = new AccessCheck()) {
      access.look(config.receive().access());
      access.look(config.http().access());
      problems.addAll(access.problems());
    }
    UnixSocketConfig unix = config.receive().unix();
    if (unix != null) {
      checkFolder("ingest.unix-socket", unix.path().toAbsolutePath().getParent(), false, problems);
    }
    JournalConfig journal = config.journal();
    if (journal != null) {
      checkFolder("journal.directory", journal.directory().toAbsolutePath(), true, problems);
    }
    return problems;
  }

  /** One that is created at start needs a folder above it that can be written to. */
  private static void checkFolder(
      String setting, @Nullable Path folder, boolean isCreated, List<String> problems) {
    @Nullable Path found = folder;
    while (isCreated && found != null && !Files.exists(found)) {
      found = found.getParent();
    }
    if (found == null || !Files.exists(found)) {
      problems.add(setting + ": no such folder: " + folder);
    } else if (!Files.isDirectory(found)) {
      problems.add(setting + ": must be a folder: " + found);
    } else if (!Files.isWritable(found) || !Files.isExecutable(found)) {
      problems.add(setting + ": folder cannot be written to: " + found);
    }
  }
}
