package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.spill.SpillFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What happens to intervals that cannot be delivered before the end.
 *
 * @param folder where they are written
 * @param picksUp whether what earlier clients have left there is sent
 */
public record SpillConfig(SpillFolder folder, boolean picksUp) {
  /** Null without a folder. */
  public static @Nullable SpillConfig of(@Nullable Path folder, boolean picksUp) {
    return folder == null ? null : new SpillConfig(new SpillFolder(folder), picksUp);
  }
}
