package io.hdrsidecar.benchmarks.peers.beside;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Knows what goes between an application and the process beside it. */
interface Wire extends AutoCloseable {
  /** Bytes so far, both ways where the transport has two. */
  long bytes();

  /** See {@link Beside#telemetryPort}. */
  default int telemetryPort() {
    return 0;
  }

  /** See {@link Beside#awaitFigures}. */
  default void awaitFigures() throws InterruptedException {}

  /** See {@link Beside#clientLosses}. */
  default @Nullable ClientLosses losses() {
    return null;
  }

  @Override
  void close() throws IOException;
}
