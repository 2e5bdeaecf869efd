package io.hdrsidecar.benchmarks.peers.application;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What an application does with each of its latencies: the client of one peer. */
interface EventTarget extends AutoCloseable {
  /** The metric's name with every peer; each adds to it what its own rules ask for. */
  String NAME = "peers";

  /** The label that tells series apart, {@code "0"} to {@code "9999"}. */
  String LABEL = "n";

  /** One event. A single thread calls this. */
  void record(int series, long nanos);

  /** The page that this process serves itself; null when another process has it. */
  default @Nullable URI metrics() {
    return null;
  }

  @Override
  void close() throws IOException;
}
