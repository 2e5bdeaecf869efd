package io.hdrsidecar.sidecar.demo;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the sidecar that the demo talks to; the wiring knows how. */
@FunctionalInterface
public interface SidecarLauncher {
  /**
   * Starts a sidecar with default settings but for where it listens and how it logs, which the
   * environment may say.
   *
   * @param ingestPort 0 takes a free one; null leaves it to the environment, and to the default
   * @param httpPort the same
   * @throws WrongSettingException when a port cannot be one, or the environment has a mistake
   * @throws IOException when it cannot start; the message tells the user why
   */
  RunningSidecar start(@Nullable Integer ingestPort, @Nullable Integer httpPort) throws IOException;

  /** What somebody asked for cannot be. */
  final class WrongSettingException extends IOException {
    private static final long serialVersionUID = 1;

    /** The message tells the user why. */
    public WrongSettingException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The sidecar, until it is closed. */
  interface RunningSidecar extends AutoCloseable {
    /** Where clients send, as their configuration writes it: {@code tcp://127.0.0.1:9924}. */
    String ingestAddress();

    /** The same over a Unix socket, where there can be one: {@code unix:///tmp/x/hdr.sock}. */
    Optional<String> unixAddress();

    /** Where people and the demo ask it: {@code http://127.0.0.1:9925/}. */
    URI httpAddress();

    /** Name of its first sliding window, such as {@code 1m}. */
    String window();

    /**
     * When somebody wants the end, by Ctrl-C or SIGTERM, this runs, once; the process goes on until
     * the work is done.
     */
    void onInterrupt(Runnable reaction);

    @Override
    void close();
  }
}
