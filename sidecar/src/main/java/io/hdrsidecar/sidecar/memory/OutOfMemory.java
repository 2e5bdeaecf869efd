package io.hdrsidecar.sidecar.memory;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process at the first OutOfMemoryError, as {@code -XX:+ExitOnOutOfMemoryError} does,
 * which a jar cannot ask for.
 *
 * <p>Such an error strikes whichever thread allocates next, so what is left afterwards may be a
 * process without its event loop, which answers nothing and never ends. A restart with the journal
 * loses nothing. Errors are met where they surface: as uncaught ones of any thread, and in the log,
 * which is where Vert.x and Netty put what they have caught. Code that catches one elsewhere hands
 * it to {@link #endIfIn}.
 */
public final class OutOfMemory {
  /** What the JVM itself exits with. */
  public static final int EXIT_CODE = 3;

  /** Causes of causes; more would be a circle. */
  private static final int MOST_CAUSES = 32;

  /** Made at start: afterwards there is no memory to make it. */
  private static final byte[] LAST_WORDS =
      ("level=ERROR event=out_of_memory exit_code="
              + EXIT_CODE
              + " msg=\"the heap is full; raise -Xmx or lower what is allowed to take memory\"\n")
          .getBytes(StandardCharsets.US_ASCII);

  private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

  /**
   * Given up at the end, as even to end takes memory. More than half a region of G1, to which it
   * gives one of its own: what is freed inside of a region that is nearly full may be of no use. A
   * region is 1 MiB, or 1/2048 of the heap, up to the next power of two.
   */
  @SuppressWarnings("UnusedVariable") // held, not read
  private static byte @Nullable [] reserve =
      new byte
          [(int)
              Math.min(32 << 20, Math.max((1 << 19) + 1, Runtime.getRuntime().maxMemory() >> 11))];

  private OutOfMemory() {}

  /** From now on, one that no thread catches ends the process. */
  public static void endAtUncaught() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          endIfIn(error);
          System.getLogger(OutOfMemory.class.getName())
              .log(
                  System.Logger.Level.ERROR, "event=thread_died name={0}", thread.getName(), error);
        });
  }

  /** To be asked before all other handlers of a log: one that is logged ends the process. */
  public static Handler logHandler() {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        endIfIn(record.getThrown());
        Object[] values = record.getParameters();
        for (int i = 0; values != null && i < values.length; i++) {
          endIfIn(values[i] instanceof Throwable thrown ? thrown : null);
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  /** Ends the process if this is an OutOfMemoryError, or came of one. */
  public static void endIfIn(@Nullable Throwable thrown) {
    if (isIn(thrown)) {
      end();
    }
  }

  static boolean isIn(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void end() {
    reserve = null;
    say();
    while (true) {
      try {
        Runtime.getRuntime().halt(EXIT_CODE);
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait(); // Another thread has taken the reserve; it will end the process, too.
      }
    }
  }

  private static void say() {
    try {
      STANDARD_ERROR.write(LAST_WORDS);
    } catch (IOException | OutOfMemoryError e) {
      // Nobody can be told; the exit code says it.
    }
  }
}
