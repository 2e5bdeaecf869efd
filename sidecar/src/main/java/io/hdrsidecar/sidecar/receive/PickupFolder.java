package io.hdrsidecar.sidecar.receive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A folder in which clients leave what is to be picked up.
 *
 * @param name in logs and metrics: {@code spill} or {@code crash}
 * @param scanInterval time between two looks
 */
public record PickupFolder(String name, Path folder, Duration scanInterval) {
  /** Those that are configured. */
  public static List<PickupFolder> of(
      @Nullable SpillFolderConfig spill, @Nullable CrashFolderConfig crash) {
    List<PickupFolder> folders = new ArrayList<>();
    if (spill != null) {
      folders.add(new PickupFolder("spill", spill.folder(), spill.scanInterval()));
    }
    if (crash != null) {
      folders.add(new PickupFolder("crash", crash.folder(), crash.scanInterval()));
    }
    return folders;
  }
}
