package io.hdrsidecar.client;

/** Runs an action when the JVM ends, unless it is removed before. */
final class ShutdownHook {
  private final Thread thread;

  ShutdownHook(Runnable action) {
    this.thread = new Thread(action, "hdr-sidecar-client-shutdown");
  }

  /** Has no effect once the JVM is ending: a client made then is closed by nobody. */
  void add() {
    try {
      Runtime.getRuntime().addShutdownHook(thread);
    } catch (IllegalStateException e) {
      return; // The JVM is ending already.
    }
  }

  /** Has no effect when it was never added, or the JVM is ending. */
  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      return; // The JVM is ending, and the hook may be what is running.
    }
  }
}
