package io.hdrsidecar.sidecar.transport;

import java.io.IOException;

/** Sends something and waits for the answer. One thread. */
interface RoundTrip extends AutoCloseable {
  /** There and back, once. */
  void go() throws IOException;

  @Override
  void close() throws IOException;
}
