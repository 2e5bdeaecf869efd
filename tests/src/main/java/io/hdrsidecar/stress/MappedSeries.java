package io.hdrsidecar.stress;

import io.hdrsidecar.internal.crash.CrashFile;
import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Series in crash files; each file serves as many as have room whatever they record, and goes with
 * the last of them.
 */
final class MappedSeries {
  private static final int FILE_BYTES = 16 << 20;

  /** More than a test here touches. */
  private static final int BYTES_OF_A_SERIES = 64 << 10;

  private static final SeriesDefinition DEFINITION =
      new SeriesDefinition(
          new SeriesKey("stress", Labels.empty()),
          Unit.NANOSECONDS,
          "",
          Recorders.LAYOUT,
          Recorders.HIGHEST);

  private static @Nullable CrashFile file;
  private static int given;

  private MappedSeries() {}

  static synchronized CrashSeries next() {
    CrashFile present = file;
    if (present == null || given == FILE_BYTES / BYTES_OF_A_SERIES) {
      present = replace();
      given = 0;
    }
    given++;
    CrashSeries series = present.series(DEFINITION, 0);
    if (series == null) {
      throw new IllegalStateException("no room in " + present.path());
    }
    return series;
  }

  private static CrashFile replace() {
    try {
      Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "hdr-sidecar-stress");
      CrashFile created =
          CrashFile.create(
              new CrashFolder(new SpillFolder(folder), FILE_BYTES),
              InstanceId.random(),
              Labels.empty(),
              1_000,
              0);
      Files.delete(created.path()); // What is mapped stays, and nothing is left of it behind us.
      Files.delete(folder);
      file = created;
      return created;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
