package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.TestPeer;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Runs one file of Java as {@code java -cp ... File.java} does: the JVM compiles it itself. */
final class SourceFile {
  /** What a user of the client has on the class path. */
  static final List<Class<?>> CLIENT =
      List.of(HdrSidecarClient.class, Accumulation.class, Histogram.class);

  /** What a user of the registry has there. */
  static final List<Class<?>> MICROMETER =
      Stream.concat(
              CLIENT.stream(),
              Stream.of(
                  HdrSidecarMeterRegistry.class,
                  MeterRegistry.class,
                  KeyValue.class,
                  Observation.class))
          .toList();

  private SourceFile() {}

  /** What it printed; the peer is its sidecar. */
  static String run(Path file, TestPeer peer, List<Class<?>> classPath, Path outputs)
      throws Exception {
    Path output = outputs.resolve(file.getFileName() + ".out");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // It lives for a second.
                "-XX:+UseSerialGC",
                "-cp",
                join(classPath),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    command.environment().keySet().removeIf(name -> name.startsWith("HDR_SIDECAR_"));
    command.environment().put("HDR_SIDECAR_ADDRESS", peer.address());
    Process process = command.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ended", file).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  private static String join(List<Class<?>> classes) throws URISyntaxException {
    List<String> places = new ArrayList<>();
    for (Class<?> type : classes) {
      places.add(
          Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return String.join(File.pathSeparator, places);
  }
}
