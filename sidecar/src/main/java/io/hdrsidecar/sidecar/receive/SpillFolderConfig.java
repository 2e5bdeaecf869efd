package io.hdrsidecar.sidecar.receive;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where clients leave what they could not deliver before they ended.
 *
 * @param folder shared with the clients of this sidecar, and no other's; need not exist yet
 * @param scanInterval how often it is looked into; 100 ms or more
 */
public record SpillFolderConfig(Path folder, Duration scanInterval) {
  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** Checks the range; throws IllegalArgumentException. */
  public SpillFolderConfig {
    if (scanInterval.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "scanInterval must be " + SHORTEST + " or more: " + scanInterval);
    }
  }
}
