package io.hdrsidecar.sidecar;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ExitCode;

/**
 * The wish that the process ends: the first signal asks for an orderly end, the second for any.
 *
 * <p>A signal before {@link #started} ends the process at once, with success: nothing has been
 * promised to anybody yet, and what is in files survives any end. Where signals cannot be handled,
 * the JVM's own end waits until {@link #ended}.
 */
public final class Termination {
  private static final Logger LOG = System.getLogger(Termination.class.getName());

  /** The status that a shell reports for a process that a signal has ended: 128 and its number. */
  private static final int KILLED_BY_SIGNAL = 128;

  private record Kind(String name, int number) {}

  private static final Kind HANGUP = new Kind("HUP", 1);
  private static final List<Kind> ENDING = List.of(new Kind("TERM", 15), new Kind("INT", 2));

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private Runnable onAsked = () -> {};
  private boolean started;

  /** Listens to signals from now on. */
  public void listen() {
    boolean listening = true;
    for (Kind kind : ENDING) {
      listening &= Signals.handle(kind.name(), () -> ask(kind));
    }
    Signals.handle(HANGUP.name(), () -> ask(HANGUP));
    if (!listening) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::endByHook, "shutdown"));
    }
  }

  /** Instead of ending the process, SIGHUP does this. */
  void onHangup(Runnable reaction) {
    Signals.handle(HANGUP.name(), reaction);
  }

  /** From now on the first signal runs this and ends {@link #await}; it had to wait for no more. */
  public synchronized void started(Runnable reaction) {
    started = true;
    onAsked = reaction;
  }

  private synchronized void ask(Kind kind) {
    if (asked.getCount() == 0) {
      LOG.log(Level.WARNING, "event=ended_at_once signal={0}", kind.name());
      Runtime.getRuntime().halt(KILLED_BY_SIGNAL + kind.number());
    }
    LOG.log(Level.INFO, "event=stopping signal={0} started={1}", kind.name(), started);
    ask();
  }

  private synchronized void ask() {
    if (!started) {
      Runtime.getRuntime().halt(ExitCode.OK);
    }
    asked.countDown();
    onAsked.run();
  }

  /** The JVM would report the signal; this end is a success. */
  private void endByHook() {
    ask();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCode.OK);
  }

  /** Waits for the first signal. */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** The orderly end is complete; the process may go. */
  public void ended() {
    ended.countDown();
  }
}
