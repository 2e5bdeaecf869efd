package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.sidecar.files.LogStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows logs in a browser; made by the package that knows the sidecar's HTTP server. */
@FunctionalInterface
public interface LogServer {
  /**
   * Reads rules and settings before the logs are, which may take minutes.
   *
   * @param slaFile rules to show beside them; null for none
   * @throws IllegalArgumentException when rules or settings make no sense, naming every problem
   */
  default void check(@Nullable Path slaFile) {}

  /**
   * Serves the explorer until the process is asked to end. Blocks.
   *
   * @param logs what it shows; not closed here
   * @param port to listen on, on loopback; 0 for a free one
   * @param slaFile rules to show beside it; null for none
   * @param onReady told the address when it can be opened
   * @throws IOException when it cannot listen there, with a message for people
   * @throws IllegalArgumentException as {@link #check}
   */
  void serve(LogStore logs, int port, @Nullable Path slaFile, Consumer<URI> onReady)
      throws IOException;
}
