package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.input.FolderProblem;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.receive.PickupFolder;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.statsd.StatsdServer;
import java.io.IOException;
import java.nio.file.FileSystems;
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
  private static final String GROUP = "ingest.unix-group";

  private FileCheck() {}

  /** The problems, one line each, rules included; empty when all can be used. Blocks. */
  static List<String> problems(SidecarConfig config) {
    List<String> problems = mistakes(config);
    problems.addAll(config.slaProblems());
    JournalConfig journal = config.journal();
    if (journal != null && problems.stream().noneMatch(p -> p.startsWith(JOURNAL))) {
      FolderProblem.ofCreated(JOURNAL, journal.directory().toAbsolutePath())
          .ifPresent(problems::add);
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
      if (config.otlp().isOn()) {
        access.look("otlp", config.otlp().access());
      }
      problems.addAll(access.problems());
    }
    if (config.statsd().isOn()) {
      checkStatsd(config.statsd(), problems);
    }
    UnixSocketConfig unix = config.receive().unix();
    if (unix != null) {
      checkSocket(SOCKET, unix.path(), problems);
      checkGroup(GROUP, unix.group(), problems);
    }
    JournalConfig journal = config.journal();
    if (journal != null) {
      FolderProblem.inPlaceOf(JOURNAL, journal.directory().toAbsolutePath())
          .ifPresent(problems::add);
    }
    for (PickupFolder left : PickupFolder.of(config.spill(), config.crash())) {
      FolderProblem.inPlaceOf(left.name() + ".folder", left.folder().toAbsolutePath())
          .ifPresent(problems::add);
    }
    return problems;
  }

  private static void checkStatsd(StatsdConfig statsd, List<String> problems) {
    if (statsd.mappingFile() != null) {
      problems.addAll(StatsdServer.problemsOf(statsd.mappingFile(), StatsdConfig.MAPPING_FILE));
    }
    checkSocket(StatsdConfig.UNIX_DATAGRAM, statsd.unixDatagram(), problems);
    checkSocket(StatsdConfig.UNIX_STREAM, statsd.unixStream(), problems);
    if (statsd.unixDatagram() != null || statsd.unixStream() != null) {
      checkGroup(StatsdConfig.UNIX_GROUP, statsd.unixGroup(), problems);
    }
  }

  private static void checkSocket(String setting, @Nullable Path socket, List<String> problems) {
    if (socket == null) {
      return;
    }
    Path path = socket.toAbsolutePath();
    FolderProblem.of(setting, path.getParent()).ifPresent(problems::add);
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        || Files.isSymbolicLink(path)) {
      problems.add(setting + ": path is taken by another kind of file: " + path);
    }
  }

  private static void checkGroup(String setting, @Nullable String group, List<String> problems) {
    if (group == null) {
      return;
    }
    try {
      FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
    } catch (IOException e) {
      problems.add(setting + ": no such group: " + group);
    }
  }
}
