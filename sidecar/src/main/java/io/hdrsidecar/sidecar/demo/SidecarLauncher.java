package io.hdrsidecar.sidecar.demo;

import java.io.IOException;
import java.net.URI;

/** Starts the sidecar that the demo talks to; the wiring knows how. */
@FunctionalInterface
public interface SidecarLauncher {
  /**
   * Starts a sidecar with default settings but for the ports, of which 0 takes a free one.
   *
   * @throws IOException when it cannot start; the message tells the user why
   */
  RunningSidecar start(int ingestPort, int httpPort) throws IOException;

  /** The sidecar, until it is closed. */
  interface RunningSidecar extends AutoCloseable {
    /** Where clients send, as their configuration writes it: {@code tcp://127.0.0.1:9924}. */
    String ingestAddress();

    /** Where it answers: {@code http://127.0.0.1:9925}. */
    URI httpAddress();

    /** Name of its first sliding window, such as {@code 1m}. */
    String window();

    @Override
    void close();
  }
}
