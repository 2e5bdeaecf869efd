package io.hdrsidecar.wire;

import java.util.UUID;

/**
 * What one client process calls itself, 16 random bytes: sequence numbers belong to it. A new
 * process, or a new client in it, has a new one.
 */
public record InstanceId(long high, long low) {
  /** A new one, from a strong random source. */
  public static InstanceId random() {
    UUID uuid = UUID.randomUUID();
    return new InstanceId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** As 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
