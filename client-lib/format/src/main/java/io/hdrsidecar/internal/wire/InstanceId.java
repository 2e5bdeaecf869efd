package io.hdrsidecar.internal.wire;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * What one client process calls itself, 16 random bytes: sequence numbers belong to it. A new
 * process, or a new client in it, has a new one.
 *
 * <p>It is a secret: a process that knows it can take sequence numbers away from the client. {@link
 * #toString}, and so whatever is shown, logged or part of a file's name, is a hash of it.
 */
public record InstanceId(long high, long low) {
  private static final int SHOWN_BYTES = 16;

  /** A new one, from a strong random source. */
  public static InstanceId random() {
    UUID uuid = UUID.randomUUID();
    return new InstanceId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** The secret itself as 32 hexadecimal digits: for the contents of journals and spill files. */
  public String digits() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  /** The first 16 bytes of its SHA-256, as 32 hexadecimal digits; the same everywhere. */
  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, SHOWN_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
