package io.hdrsidecar.internal.crash;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Points at which a test lets a process die. Without the system property {@code
 * io.hdrsidecar.crash.fault} they cost nothing, as its absence is known when this class is loaded.
 * No setting, environment variable or file leads to that property: who sets it, on the command line
 * and to the very name of a point, means it. Behind the name and a colon may stand at which of its
 * visits to die.
 */
public final class CrashFault {
  private static final String[] AT =
      System.getProperty("io.hdrsidecar.crash.fault", "").split(":", 2);

  private static final boolean IS_WANTED = !AT[0].isEmpty();
  private static final AtomicInteger VISITS = new AtomicInteger();
  private static final int KILLED = 128 + 9;

  private CrashFault() {}

  /** Ends the process as {@code kill -9} does, if this is the point that was asked for. */
  public static void point(String name) {
    if (IS_WANTED && AT[0].equals(name) && VISITS.incrementAndGet() == wantedVisit()) {
      long self = ProcessHandle.current().pid();
      try {
        new ProcessBuilder("kill", "-9", Long.toString(self)).inheritIO().start().waitFor();
      } catch (IOException | InterruptedException e) {
        Runtime.getRuntime().halt(KILLED); // Whatever happens, it must not live on.
      }
    }
  }

  private static int wantedVisit() {
    return AT.length == 1 ? 1 : Integer.parseInt(AT[1]);
  }
}
