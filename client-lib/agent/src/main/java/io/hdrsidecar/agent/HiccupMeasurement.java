package io.hdrsidecar.agent;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.internal.send.StateLog;

/** Starts the client that measures. */
final class HiccupMeasurement {
  private HiccupMeasurement() {}

  /** Never throws: whatever is wrong with the measurement, that would keep the program down. */
  static void start(String arguments) {
    try {
      StateLog.logTo(new StderrLogger());
      // The shutdown hook closes it, not its creator.
      @SuppressWarnings("MustBeClosedChecker")
      HdrSidecarClient running = HdrSidecarClient.create(config(AgentArguments.parse(arguments)));
      assert running != null;
    } catch (RuntimeException | LinkageError e) {
      System.err.println("hdr-sidecar agent: measures nothing: " + e.getMessage());
    }
  }

  private static ClientConfig config(AgentArguments arguments) {
    try {
      return ClientConfig.fromEnvironment(arguments.over(System.getenv()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(arguments.asGiven(String.valueOf(e.getMessage())), e);
    }
  }
}
