package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Scrapes a sidecar each second, compressed as Prometheus asks for it, and looks at its memory and
 * processor time meanwhile.
 */
final class MeasuredSeconds {
  private static final double MIB = 1 << 20;
  private static final String PROTOBUF_TYPE =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  private static final String TEXT_TYPE = "text/plain;version=0.0.4";
  static final String[] PROTOBUF = {"Accept", PROTOBUF_TYPE, "Accept-Encoding", "gzip"};
  static final String[] TEXT = {"Accept", TEXT_TYPE, "Accept-Encoding", "gzip"};

  /** What a page may be asked for in, without compression. */
  static final List<String> PLAIN_TYPES =
      List.of(PROTOBUF_TYPE, TEXT_TYPE, "application/openmetrics-text;version=1.0.0");

  private final SidecarRun sidecar;
  private final Scrapes protobuf = new Scrapes(PROTOBUF);
  private final Scrapes text = new Scrapes(TEXT);
  private long cpuBefore;
  private long clockBefore;
  private double anonymous;
  private double resident;

  MeasuredSeconds(SidecarRun sidecar) {
    this.sidecar = sidecar;
  }

  /** What was measured up to now is forgotten. */
  void begin() throws IOException {
    protobuf.millis.clear();
    text.millis.clear();
    anonymous = 0;
    resident = 0;
    cpuBefore = sidecar.usage().cpuNanos();
    clockBefore = System.nanoTime();
  }

  /** Goes on for so long. */
  void run(int seconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      (second % 2 == 0 ? protobuf : text).scrape();
      anonymous = Math.max(anonymous, sidecar.usage().bytes("RssAnon") / MIB);
      resident = Math.max(resident, sidecar.usage().bytes("VmRSS") / MIB);
      Flood.parkUntil(start + second * 1_000_000_000L);
    }
  }

  /** Cells of a table: processor, anonymous, RSS, scrapes of both kinds. */
  String row() throws IOException {
    double cpu = sidecar.usage().cpuNanos() - cpuBefore;
    return String.format(
        Locale.ROOT,
        "%.1f %% | %.0f | %.0f | %s | %s",
        100 * cpu / (System.nanoTime() - clockBefore),
        anonymous,
        resident,
        protobuf,
        text);
  }

  /** Scrapes of one kind. */
  private final class Scrapes {
    private final String[] headers;
    private final List<Double> millis = new ArrayList<>();
    private int bytes;

    Scrapes(String... headers) {
      this.headers = headers;
    }

    void scrape() throws IOException, InterruptedException {
      long start = System.nanoTime();
      bytes = sidecar.get("/metrics", headers).length;
      millis.add((System.nanoTime() - start) / 1e6);
    }

    @Override
    public String toString() {
      Collections.sort(millis);
      return String.format(
          Locale.ROOT,
          "%.0f, %.0f ms, %.1f MB",
          millis.get(millis.size() / 2),
          millis.get(millis.size() - 1),
          bytes / 1e6);
    }
  }
}
