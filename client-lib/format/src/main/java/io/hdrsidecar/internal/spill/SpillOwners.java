package io.hdrsidecar.internal.spill;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * Whose files count: those of this process's user, of the folder's owner, and, in a folder that its
 * group may write to, of that group. A folder that everybody may write to gets files of others,
 * too.
 */
final class SpillOwners {
  private final Path folder;
  private final @Nullable PosixFileAttributes attributes;

  private SpillOwners(Path folder, @Nullable PosixFileAttributes attributes) {
    this.folder = folder;
    this.attributes = attributes;
  }

  static SpillOwners of(SpillFolder folder) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(folder.path(), PosixFileAttributeView.class);
    return new SpillOwners(folder.path(), view == null ? null : view.readAttributes());
  }

  /** Throws an IOException that says whose file it is, unless it is of somebody who may spill. */
  void require(Path file) throws IOException {
    PosixFileAttributes expected = attributes;
    if (expected == null) {
      return; // A file system without owners.
    }
    PosixFileAttributes found =
        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    boolean isOfGroup =
        expected.permissions().contains(PosixFilePermission.GROUP_WRITE)
            && found.group().equals(expected.group());
    if (!isOfGroup && !found.owner().equals(expected.owner()) && !isOurs(found.owner())) {
      throw new IOException(
          file
              + " must belong to the user of this process, to the owner of "
              + folder
              + " ("
              + expected.owner()
              + ") or, if its group may write there, to that group ("
              + expected.group()
              + "), and belongs to "
              + found.owner()
              + ", group "
              + found.group());
    }
  }

  private static boolean isOurs(UserPrincipal owner) throws IOException {
    Path self = Path.of("/proc/self");
    if (Files.exists(self)) {
      return owner.equals(Files.getOwner(self));
    }
    return owner.equals(
        FileSystems.getDefault()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(System.getProperty("user.name")));
  }
}
