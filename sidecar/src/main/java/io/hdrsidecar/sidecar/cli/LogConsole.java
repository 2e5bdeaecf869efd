package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a log tool reads and writes.
 *
 * @param in what {@code -} reads
 * @param out results
 * @param err warnings and progress
 * @param typedInput whether {@code in} is a terminal, at which a person must end the input
 * @param terminal whether a person watches {@code err}, so that progress makes sense
 */
public record LogConsole(
    InputStream in, PrintStream out, PrintStream err, boolean typedInput, boolean terminal) {
  /** The streams of this process. */
  public static LogConsole ofProcess() {
    return new LogConsole(System.in, System.out, System.err, isTerminal(0), isTerminal(2));
  }

  /**
   * Java only tells whether input and output together are a terminal, but {@code log summarize x >
   * y} has its progress on standard error. Linux says what that is.
   */
  private static boolean isTerminal(int descriptor) {
    try {
      Path link = Path.of("/proc/self/fd/" + descriptor);
      String device = Files.readSymbolicLink(link).toString();
      return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // no Linux, and so no progress
    }
  }
}
