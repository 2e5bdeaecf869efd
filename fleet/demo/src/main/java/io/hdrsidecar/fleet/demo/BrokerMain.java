package io.hdrsidecar.fleet.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** The program of a broker: makes its folder where there is none, and starts Kafka's own. */
final class BrokerMain {
  private static final String CLUSTER = "hdrSidecarFleetDemo000";

  private BrokerMain() {}

  /** Takes a file of properties. */
  public static void main(String[] arguments) throws Exception {
    String file = arguments[0];
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(Path.of(file))) {
      properties.load(reader);
    }
    if (!Files.exists(Path.of(properties.getProperty("log.dirs"), "meta.properties"))) {
      int code =
          StorageTool.execute(
              new String[] {"format", "--cluster-id", CLUSTER, "--config", file}, System.out);
      if (code != 0) {
        throw new IllegalStateException("cannot format " + properties.getProperty("log.dirs"));
      }
    }
    Kafka.main(new String[] {file});
  }
}
