package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;

/** Logs of others in the test resources, and what HdrHistogram itself reads from logs. */
final class Fixtures {
  static final String V0 = "jHiccup-2.0.1.logV0.hlog";
  static final String V1 = "jHiccup-2.0.6.logV1.hlog";
  static final String V2 = "jHiccup-2.0.7S.logV2.hlog";
  static final String V3 = "jHiccup-2.0.7S.logV3.hlog";
  static final String TAGGED = "tagged-Log.logV2.hlog";
  static final String YCSB = "ycsb.logV1.hlog";
  static final List<String> ALL = List.of(V0, V1, V2, V3, TAGGED, YCSB);

  private Fixtures() {}

  static Path path(String name) {
    return resource("/hlog/" + name);
  }

  static Path resource(String name) {
    try {
      return Path.of(Objects.requireNonNull(Fixtures.class.getResource(name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static String text(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every interval of a log, read by HdrHistogram. */
  static List<EncodableHistogram> intervals(Path log) throws IOException {
    List<EncodableHistogram> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next != null) {
          intervals.add(next);
        }
      }
    }
    return intervals;
  }
}
