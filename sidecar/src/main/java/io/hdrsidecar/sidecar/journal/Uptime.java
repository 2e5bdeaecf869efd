package io.hdrsidecar.sidecar.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * For how long the machine runs: what tells, from one process to the next, how much time went by,
 * whatever is done to the wall clock.
 *
 * @param millis since it was started, 0 or more
 * @param boot which start that was, without blanks; empty where nobody knows
 */
record Uptime(long millis, String boot) {
  static final Uptime UNKNOWN = new Uptime(0, "");

  private static final Path LINUX_BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path LINUX_UPTIME = Path.of("/proc/uptime");
  private static final int BOOT_LENGTH = 36;

  /** That of this machine, now; unknown where there is no Linux. */
  static Supplier<Uptime> ofThisMachine() {
    return () -> read(LINUX_UPTIME, LINUX_BOOT);
  }

  static Uptime read(Path uptime, Path bootId) {
    try {
      String boot = Files.readString(bootId).strip();
      String seconds = Files.readString(uptime).strip().split(" ", 2)[0];
      boolean isKnown = boot.length() == BOOT_LENGTH && seconds.matches("\\d{1,12}\\.\\d{2}");
      return isKnown ? new Uptime(Long.parseLong(seconds.replace(".", "")) * 10, boot) : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN; // Another system, or a container that hides it: the wall clock must do.
    }
  }
}
