package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The programs that run beside applications, and how.
 *
 * @param checkout root of this project, built
 * @param binaries folder with statsd_exporter and otelcol, as {@code footprint-peers} builds them
 * @param sidecarJava runs the sidecar: that of a JDK 25, as in the image, where there is one
 * @param sidecarSettings further flags of {@code serve}
 */
public record Programs(
    Path checkout, Path binaries, Path sidecarJava, List<String> sidecarSettings) {
  /** Options of the image that name files of the image, or say in percent what is said here. */
  private static final List<String> OF_THE_IMAGE =
      List.of("SharedArchiveFile", "ArchiveRelocationMode", "MaxRAMPercentage", "MinRAMPercentage");

  /** Starts what a peer needs. */
  public Beside start(Peer peer, Path folder, int series) throws IOException, InterruptedException {
    return switch (peer) {
      case HDR_SIDECAR -> SidecarBeside.start(folder, this, series);
      case STATSD_UDP -> StatsdExporterBeside.start(folder, this, false);
      case STATSD_UNIX -> StatsdExporterBeside.start(folder, this, true);
      case OTLP -> CollectorBeside.start(folder, this);
      case NONE, MICROMETER, CLIENT_JAVA -> Beside.NOTHING;
    };
  }

  /** Whether what a peer needs is there. */
  public boolean has(Peer peer) {
    return switch (peer) {
      case STATSD_UDP, STATSD_UNIX -> Files.isExecutable(binary("statsd_exporter"));
      case OTLP -> Files.isExecutable(binary("otelcol"));
      case HDR_SIDECAR -> Files.isReadable(sidecarJar());
      case NONE, MICROMETER, CLIENT_JAVA -> true;
    };
  }

  Path binary(String name) {
    return binaries.resolve(name);
  }

  Path sidecarJar() {
    return checkout.resolve("sidecar/target/hdr-sidecar.jar");
  }

  /**
   * Those of the image; what this JVM does not know it leaves aside. The heap may grow to what so
   * many series need at any rate here, with a window of a minute.
   */
  public List<String> sidecarJvmOptions(int series) throws IOException {
    List<String> options = new ArrayList<>();
    for (String option : Files.readAllLines(checkout.resolve("k8s/image/java.options"))) {
      if (OF_THE_IMAGE.stream().noneMatch(option::contains)) {
        options.add(option);
      }
    }
    options.add("-XX:+IgnoreUnrecognizedVMOptions");
    options.add(series <= 100 ? "-Xmx128m" : series <= 1000 ? "-Xmx768m" : "-Xmx3g");
    return options;
  }

  /** Those of the image, but for the host that scrapes come to. */
  public Map<String, String> sidecarEnvironment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("MALLOC_ARENA_MAX", "1");
    environment.put("HDR_SIDECAR_HISTORY_MAX_MEMORY", "4MiB");
    environment.put("HDR_SIDECAR_SERIES_MAX_COUNTERS", "131072");
    return environment;
  }
}
