package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.crash.CrashFile;
import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where a recorder has its counters. */
public enum Counters {
  /** Gone with the process. */
  HEAP {
    @Override
    List<SeriesRecorder> recorders(int count) {
      return Stream.generate(() -> new SeriesRecorder(LAYOUT, Latencies.HIGHEST))
          .limit(count)
          .toList();
    }
  },

  /** In a file in memory, which outlives it. */
  MAPPED {
    @Override
    List<SeriesRecorder> recorders(int count) throws IOException {
      Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "hdr-sidecar-benchmark");
      CrashFile file =
          CrashFile.create(
              new CrashFolder(new SpillFolder(folder), FILE_BYTES),
              InstanceId.random(),
              Labels.empty(),
              1_000,
              0);
      Files.delete(file.path()); // What is mapped stays, and nothing is left of it behind us.
      Files.delete(folder);
      return IntStream.range(0, count).mapToObj(i -> mapped(file, "latency" + i)).toList();
    }
  };

  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final int FILE_BYTES = 512 << 20;

  /** Of so many series. */
  abstract List<SeriesRecorder> recorders(int count) throws IOException;

  /** Of one. */
  SeriesRecorder recorder() throws IOException {
    return recorders(1).get(0);
  }

  private static SeriesRecorder mapped(CrashFile file, String name) {
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey(name, Labels.empty()), Unit.NANOSECONDS, "", LAYOUT, Latencies.HIGHEST);
    return new SeriesRecorder(
        LAYOUT,
        Latencies.HIGHEST,
        Objects.requireNonNull(file.series(definition, 0), "room"),
        lost -> {
          throw new IllegalStateException("the file has no room");
        });
  }
}
