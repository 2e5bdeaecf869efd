package io.hdrsidecar.sidecar.input;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What keeps a folder that a setting names from being used, and what to do about it. */
public final class FolderProblem {
  private static final String OWNER_ADVICE =
      "; give it to this user or a group of it (in a pod: securityContext.fsGroup), or mount a"
          + " writable volume there";

  private FolderProblem() {}

  /** What keeps files from being created in it; empty if nothing does. Blocks. */
  public static Optional<String> of(String setting, @Nullable Path folder) {
    return folder == null || !Files.exists(folder)
        ? Optional.of(missing(setting, folder))
        : ofExisting(setting, folder);
  }

  /** The same of a folder that is created when needed: the first above it that exists counts. */
  public static Optional<String> ofCreated(String setting, Path folder) {
    Path found = existing(folder);
    return found == null ? Optional.of(missing(setting, folder)) : ofExisting(setting, found);
  }

  /** Whether something else is in its place, or in that of a folder above it. */
  public static Optional<String> inPlaceOf(String setting, Path folder) {
    Path found = existing(folder);
    return found == null || Files.isDirectory(found)
        ? Optional.empty()
        : Optional.of(setting + ": must be a folder, is a file: " + found);
  }

  private static Optional<String> ofExisting(String setting, Path found) {
    if (!Files.isDirectory(found)) {
      return inPlaceOf(setting, found);
    }
    return Files.isWritable(found) && Files.isExecutable(found)
        ? Optional.empty()
        : Optional.of(setting + ": folder cannot be written to: " + found + OWNER_ADVICE);
  }

  /** Of a folder in which an attempt to write has failed. */
  public static String afterFailure(String setting, Path folder, String reason) {
    return setting + ": " + folder + " cannot be written to: " + reason + OWNER_ADVICE;
  }

  private static String missing(String setting, @Nullable Path folder) {
    return setting
        + ": no such folder: "
        + folder
        + "; create it, or mount a volume there (in a pod: an emptyDir)";
  }

  private static @Nullable Path existing(Path folder) {
    Path found = folder;
    while (found != null && !Files.exists(found)) {
      found = found.getParent();
    }
    return found;
  }
}
