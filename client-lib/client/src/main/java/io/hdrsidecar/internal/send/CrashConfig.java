package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.spill.SpillFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where what is recorded outlives the process.
 *
 * @param folder where the file is
 * @param picksUp whether what earlier clients have left there is sent
 */
public record CrashConfig(CrashFolder folder, boolean picksUp) {
  private static final int FIRST_BYTES = 1 << 20;
  private static final int BYTES_OF_A_SERIES = 64 << 10;
  private static final int MOST_BYTES = 1 << 30;

  /** With as much room as so many series need; null without a folder. */
  public static @Nullable CrashConfig of(@Nullable Path folder, int maxSeries, boolean picksUp) {
    if (folder == null) {
      return null;
    }
    long bytes = Math.min(FIRST_BYTES + (long) maxSeries * BYTES_OF_A_SERIES, MOST_BYTES);
    return new CrashConfig(new CrashFolder(new SpillFolder(folder), (int) bytes), picksUp);
  }
}
