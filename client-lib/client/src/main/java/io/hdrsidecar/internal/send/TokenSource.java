package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where the proof that this client may send comes from; asked anew for each connection. */
@FunctionalInterface
public interface TokenSource {
  /** No proof. */
  TokenSource NONE = () -> "";

  /** The longest proof, in characters. */
  int MAX_LENGTH = 4096;

  /**
   * The proof, empty for none.
   *
   * @throws IOException when it cannot be read; the message does not hold it
   */
  String current() throws IOException;

  /** The one line of a file, which may change while the client runs. A byte order mark is none. */
  static TokenSource file(Path path) {
    return () -> {
      String token;
      try {
        token = Files.readString(path);
      } catch (NoSuchFileException e) {
        throw new IOException("token file does not exist: " + path, e);
      } catch (IOException e) {
        throw new IOException("token file cannot be read as UTF-8: " + path, e);
      }
      token = (token.startsWith("\uFEFF") ? token.substring(1) : token).strip();
      if (token.isEmpty() || token.length() > MAX_LENGTH || token.lines().count() > 1) {
        throw new IOException(
            "token file must hold one line of at most " + MAX_LENGTH + " characters: " + path);
      }
      return token;
    };
  }
}
