package io.hdrsidecar.internal.send;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a client wrote to its spill folder, at each close that could not deliver all.
 *
 * @param intervals intervals in its files
 * @param values values in them
 * @param file the last of them; null for none
 */
public record Spilled(long intervals, long values, @Nullable Path file) {
  /** Where nothing was left. */
  public static final Spilled NOTHING = new Spilled(0, 0, null);

  /** Both together, with the later file. */
  Spilled and(Spilled later) {
    return new Spilled(
        intervals + later.intervals, values + later.values, later.file == null ? file : later.file);
  }

  @Override
  public String toString() {
    return file + ": intervals=" + intervals + " values=" + values;
  }
}
