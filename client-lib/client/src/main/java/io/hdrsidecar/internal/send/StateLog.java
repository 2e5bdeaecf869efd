package io.hdrsidecar.internal.send;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes one line per change of state, not one per attempt: a sidecar that is away for a day costs
 * two lines. Where states change all the time, as with a sidecar that ends and starts again, it
 * writes {@value #AT_ONCE} lines at once and then one in ten seconds, and says what it left out.
 * One thread.
 */
public final class StateLog {
  static final int AT_ONCE = 20;
  private static final long NANOS_A_LINE = TimeUnit.SECONDS.toNanos(10);

  /** Lines of one kind: many of them leave no other kind out. */
  private final class Limit {
    private long spentNanos = ticker.getAsLong() - AT_ONCE * NANOS_A_LINE;
    private long leftOut;

    /** Whether a line may be written now. */
    boolean take() {
      long now = ticker.getAsLong();
      if (now - spentNanos > AT_ONCE * NANOS_A_LINE) {
        spentNanos = now - AT_ONCE * NANOS_A_LINE;
      }
      if (now - spentNanos < NANOS_A_LINE) {
        leftOut++;
        return false;
      }
      spentNanos += NANOS_A_LINE;
      return true;
    }

    /** For the line that is written, after those that were not. */
    String suffix() {
      String text = leftOut == 0 ? "" : " (lines like this left out before: " + leftOut + ")";
      leftOut = 0;
      return text;
    }
  }

  private static volatile @Nullable Logger chosen;

  private final Logger logger;
  private final LongSupplier ticker;
  private final Limit states;
  private final Limit subjects;
  private final Limit failures;
  private final Set<String> said = new HashSet<>();
  private String state = "";

  /** Has all clients that are made later log there, and leaves the JDK's loggers alone. */
  public static void logTo(Logger logger) {
    chosen = logger;
  }

  /** Where a client logs: to the JDK's logger of this name, unless another was chosen. */
  public static Logger logger() {
    Logger other = chosen;
    return other == null ? System.getLogger("io.hdrsidecar.client") : other;
  }

  /**
   * A log of nothing yet.
   *
   * @param ticker nanoseconds of a clock that nobody sets
   */
  public StateLog(Logger logger, LongSupplier ticker) {
    this.logger = logger;
    this.ticker = ticker;
    this.states = new Limit();
    this.subjects = new Limit();
    this.failures = new Limit();
  }

  /** A log of other states and subjects, for another thread. */
  StateLog another() {
    return new StateLog(logger, ticker);
  }

  /** Logs the message unless the state is the same as at the last call. */
  void enter(String newState, Level level, String message) {
    if (!newState.equals(state)) {
      state = newState;
      log(states, level, message);
    }
  }

  /** Logs the message unless one of this subject was logged since the last {@link #forget}. */
  void once(String subject, Level level, String message) {
    if (said.add(subject)) {
      log(subjects, level, message);
    }
  }

  /** Subjects may be logged again. */
  void forget() {
    said.clear();
  }

  private void log(Limit limit, Level level, String message) {
    if (limit.take()) {
      always(level, message + limit.suffix());
    }
  }

  /** Logs the message, on one line whatever the sidecar wrote into it. */
  public void always(Level level, String message) {
    logger.log(level, message.replaceAll("\\p{Cntrl}", " "));
  }

  /** Logs an unexpected failure with its stack. */
  public void failure(String message, Throwable failure) {
    if (failures.take()) {
      logger.log(Level.ERROR, message + failures.suffix(), failure);
    }
  }
}
