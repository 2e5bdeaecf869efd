package io.hdrsidecar.internal.crash;

import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillReader;
import io.hdrsidecar.internal.spill.SpillVisitor;
import java.io.IOException;

/** Reads what a client has left, in whichever form. */
public final class PickupReader {
  private PickupReader() {}

  /**
   * Reads a file to its end.
   *
   * @param nowMillis no interval of a crash file ends later
   * @param visitor is told what can be read
   */
  public static SpillContents read(
      SpillFile file, SpillLimits limits, long nowMillis, SpillVisitor visitor) throws IOException {
    return file.isCrashFile()
        ? CrashReader.read(file, limits, nowMillis, visitor)
        : SpillReader.read(file, limits, visitor);
  }
}
