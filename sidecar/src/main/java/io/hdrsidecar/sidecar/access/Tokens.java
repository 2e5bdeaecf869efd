package io.hdrsidecar.sidecar.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The tokens of which one must be shown. Only their hashes are kept: hashes are of one length, so
 * that comparing them takes the same time whatever was shown, and a dump of the memory holds no
 * token. Immutable.
 */
final class Tokens {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_TOKENS = 16;

  /** Some editors begin a file with it; it is no blank, and nobody would see that it is there. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Asks for none. */
  static final Tokens NOT_NEEDED = new Tokens(List.of());

  private final List<byte[]> hashes;

  private Tokens(List<byte[]> hashes) {
    this.hashes = hashes;
  }

  /**
   * From the contents of a file: a token in each line. Two or more are for the time of a change.
   *
   * @throws IOException saying what was expected, without what came
   */
  static Tokens of(byte[] file) throws IOException {
    String text = new String(file, StandardCharsets.UTF_8);
    List<String> tokens =
        (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    if (tokens.isEmpty() || tokens.size() > MAX_TOKENS) {
      throw new IOException("must hold 1 to " + MAX_TOKENS + " tokens, one in a line");
    }
    if (tokens.stream().anyMatch(token -> token.length() > MAX_LENGTH)) {
      throw new IOException("a token must have at most " + MAX_LENGTH + " characters");
    }
    return new Tokens(tokens.stream().map(Tokens::hash).toList());
  }

  /** Whether one of the tokens was shown. Looks at all of them in any case. */
  boolean admit(String shown) {
    byte[] hash = hash(shown);
    boolean found = hashes.isEmpty();
    for (byte[] expected : hashes) {
      found |= MessageDigest.isEqual(expected, hash);
    }
    return found;
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
