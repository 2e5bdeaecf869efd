package io.hdrsidecar.sidecar.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file that somebody named. A path to something endless does not fill the memory. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * All of it. Blocks; a pipe or a device is not opened.
   *
   * @param maxBytes it may have
   * @throws IOException whose message is a sentence with the path: what was expected, and what is
   *     there
   */
  public static byte[] bytes(Path file, int maxBytes) throws IOException {
    requireFile(file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] read = in.readNBytes(maxBytes + 1);
      if (read.length > maxBytes) {
        throw new IOException(
            "must have at most " + maxBytes + " bytes, has " + Files.size(file) + ": " + file);
      }
      return read;
    } catch (FileSystemException e) {
      throw new IOException(CauseText.of(e), e);
    }
  }

  /** The same as text in UTF-8. */
  public static String text(Path file, int maxBytes) throws IOException {
    byte[] bytes = bytes(file, maxBytes);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("must be text in UTF-8, has other bytes: " + file, e);
    }
  }

  private static void requireFile(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("must be a file, is a folder: " + file);
    }
    if (Files.notExists(file)) {
      throw new IOException("no such file: " + file);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("must be a regular file: " + file);
    }
  }
}
