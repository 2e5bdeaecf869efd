package io.hdrsidecar.sidecar.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong, in words for people who do not read Java. */
public final class CauseText {
  private CauseText() {}

  /**
   * The cause of a failure. Exceptions of the file system, whose messages are only a path, say what
   * is the matter with it; other input and output says its message; faults name their class.
   */
  public static String of(Throwable cause) {
    if (cause instanceof FileSystemException e) {
      return ofFile(e) + (e.getFile() == null ? "" : ": " + e.getFile());
    }
    if (cause instanceof CharacterCodingException) {
      return "not text in UTF-8";
    }
    String message = cause.getMessage();
    return message != null && cause instanceof IOException ? message : cause.toString();
  }

  private static String ofFile(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "access denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "exists already";
    }
    return e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
  }
}
