package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What a peer runs beside the application. */
public interface Beside extends AutoCloseable {
  /** Nothing: the application is scraped itself. */
  Beside NOTHING =
      new Beside() {
        @Override
        public String address() {
          return "-";
        }

        @Override
        public @Nullable Child process() {
          return null;
        }

        @Override
        public @Nullable URI metrics() {
          return null;
        }

        @Override
        public long wireBytes() {
          return 0;
        }

        @Override
        public void close() {}
      };

  /** Where the application sends to, in its client's own words. */
  String address();

  /** UDP port for a client's figures about itself; 0 if nobody asks for them. */
  default int telemetryPort() {
    return 0;
  }

  /** The process; null if there is none. */
  @Nullable Child process();

  /** The page to scrape; null if the application has it. */
  @Nullable URI metrics();

  /** Waits until the figures below have all that happened before; they may lag by a second. */
  default void awaitFigures() throws InterruptedException {}

  /** What the client says it gave up; null if it says nothing about that. */
  default @Nullable ClientLosses clientLosses() {
    return null;
  }

  /** Bytes between application and process so far, both ways where the transport has two. */
  long wireBytes();

  @Override
  void close() throws IOException;
}
