package io.hdrsidecar.client.send;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a client wrote to its spill folder at its end.
 *
 * @param intervals intervals in the file
 * @param values values in them
 * @param file where it is; null for none
 */
public record Spilled(long intervals, long values, @Nullable Path file) {
  static final Spilled NOTHING = new Spilled(0, 0, null);

  @Override
  public String toString() {
    return file + ": intervals=" + intervals + " values=" + values;
  }
}
