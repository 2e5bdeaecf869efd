package io.hdrsidecar.tests.agent;

import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A program with the client inside: records ten calls, says so, and ends when its input does. Like
 * an application of Spring Boot it has a method that makes the registry, so that whoever looks for
 * its main method loads the registry's class, too.
 */
public final class EmbeddingProgram {
  private EmbeddingProgram() {}

  static HdrSidecarMeterRegistry registry() {
    return HdrSidecarMeterRegistry.fromEnvironment();
  }

  /** Started by Boot's loader. */
  public static void main(String[] arguments) throws IOException {
    HdrSidecarMeterRegistry registry = registry();
    for (int millis = 1; millis <= 10; millis++) {
      registry.timer("calls").record(millis, TimeUnit.MILLISECONDS);
    }
    System.out.println("recorded");
    while (System.in.read() >= 0) {
      // Waits for the end.
    }
    registry.close();
  }
}
