package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.ClientCommands;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What runs in a client's place.
 *
 * @param slot one letter, the first of each process's label {@code run}
 * @param command what comes before the arguments of {@link ChaosClient}
 */
record ClientProgram(String slot, List<String> command) {
  ClientProgram {
    command = List.copyOf(command);
  }

  /** {@link ChaosClient}, with what a user's program has beside itself. */
  static ClientProgram java(String slot) {
    String classPath =
        Stream.of(ChaosClient.class, HdrSidecarClient.class, Labels.class, Histogram.class)
            .map(ClientProgram::location)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>(List.of(Launch.java().toString()));
    command.addAll(Launch.SHORT_LIVED);
    command.addAll(List.of("-Xmx128m", "-cp", classPath, ChaosClient.class.getName()));
    return new ClientProgram(slot, command);
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static ClientProgram go() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(ClientCommands.go("client"));
    command.add("chaos");
    return new ClientProgram("g", command);
  }

  static ClientProgram python() {
    return new ClientProgram("p", ClientCommands.python("chaos_client.py"));
  }

  static ClientProgram node() throws IOException {
    return new ClientProgram("n", ClientCommands.node("chaos.mjs"));
  }
}
