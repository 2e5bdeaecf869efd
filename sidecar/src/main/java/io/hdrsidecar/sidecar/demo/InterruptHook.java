package io.hdrsidecar.sidecar.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, or SIGTERM, ends the load but not yet the process: that waits until the table is out.
 *
 * <p>While a shutdown hook runs, the other threads go on, so the main thread can finish its work;
 * the hook only asks for it and waits.
 */
final class InterruptHook {
  private final CountDownLatch released = new CountDownLatch(1);
  private final Thread hook;

  private InterruptHook(Runnable onInterrupt, Duration patience) {
    hook = new Thread(() -> interrupted(onInterrupt, patience), "demo-interrupt");
  }

  /**
   * Installs the hook.
   *
   * @param onInterrupt asks the main thread to come to an end
   * @param patience how long the process waits for {@link #release}
   */
  static InterruptHook install(Runnable onInterrupt, Duration patience) {
    InterruptHook installed = new InterruptHook(onInterrupt, patience);
    Runtime.getRuntime().addShutdownHook(installed.hook);
    return installed;
  }

  private void interrupted(Runnable onInterrupt, Duration patience) {
    onInterrupt.run();
    try {
      released.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work is done; the process may end. */
  void release() {
    released.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook is what waited for this call.
    }
  }
}
