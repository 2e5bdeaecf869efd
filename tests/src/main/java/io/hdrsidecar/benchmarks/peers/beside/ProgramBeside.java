package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A program beside the application, which is ready.
 *
 * @param address where the application sends to
 * @param metrics its page
 * @param wire ends with it
 */
record ProgramBeside(String address, Child process, URI metrics, Wire wire) implements Beside {
  @Override
  public int telemetryPort() {
    return wire.telemetryPort();
  }

  @Override
  public void awaitFigures() throws InterruptedException {
    wire.awaitFigures();
  }

  @Override
  public @Nullable ClientLosses clientLosses() {
    return wire.losses();
  }

  @Override
  public long wireBytes() {
    return wire.bytes();
  }

  @Override
  public void close() throws IOException {
    wire.close();
    process.close();
  }
}
