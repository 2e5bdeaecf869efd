package io.hdrsidecar.sidecar;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The wish that the process ends: the first signal asks for an orderly end, the second for any. */
final class Termination {
  private static final Logger LOG = System.getLogger(Termination.class.getName());

  /** What a shell reports for a process that a signal has ended: 128 and its number. */
  private static final int KILLED_BY_SIGNAL = 128;

  private record Kind(String name, int number) {}

  private static final Kind HANGUP = new Kind("HUP", 1);
  private static final List<Kind> ENDING = List.of(new Kind("TERM", 15), new Kind("INT", 2));

  private final CountDownLatch asked = new CountDownLatch(1);

  /**
   * Listens to signals from now on.
   *
   * @param onHangup what SIGHUP does; it ends the process like the others when this does nothing
   * @param reloads whether onHangup does something
   * @return whether signals can be listened to here
   */
  boolean listen(boolean reloads, Runnable onHangup) {
    boolean listening = true;
    for (Kind kind : ENDING) {
      listening &= Signals.handle(kind.name(), () -> ask(kind));
    }
    Signals.handle(HANGUP.name(), reloads ? onHangup : () -> ask(HANGUP));
    return listening;
  }

  private void ask(Kind kind) {
    if (asked.getCount() == 0) {
      LOG.log(Level.WARNING, "event=ended_at_once signal=" + kind.name());
      Runtime.getRuntime().halt(KILLED_BY_SIGNAL + kind.number());
    }
    LOG.log(Level.INFO, "event=stopping signal=" + kind.name());
    asked.countDown();
  }

  /** Waits for the first signal. */
  void await() throws InterruptedException {
    asked.await();
  }
}
