package io.hdrsidecar.internal.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Tells files from what only has the name of one. To open a named pipe is to wait for somebody at
 * its other end, without a way to give up; so one that lies where a file is expected would stop its
 * reader.
 */
public final class RegularFile {
  private RegularFile() {}

  /**
   * Refuses what is no file; nothing there is no mistake.
   *
   * @param links whether symbolic links are followed
   * @throws IOException saying what is there instead
   */
  public static void check(Path path, LinkOption... links) throws IOException {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class, links);
    } catch (NoSuchFileException e) {
      return;
    }
    require(path, found);
  }

  /**
   * Refuses what is no file.
   *
   * @param found what is there
   * @throws IOException saying what is there instead
   */
  public static void require(Path path, BasicFileAttributes found) throws IOException {
    if (!found.isRegularFile()) {
      throw new IOException(
          path + " must be a regular file, and is " + kind(found) + "; move it away");
    }
  }

  private static String kind(BasicFileAttributes found) {
    if (found.isDirectory()) {
      return "a folder";
    }
    return found.isSymbolicLink() ? "a symbolic link" : "a named pipe, a socket or a device";
  }
}
