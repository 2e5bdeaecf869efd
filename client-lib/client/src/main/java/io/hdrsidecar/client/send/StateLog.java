package io.hdrsidecar.client.send;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes one line per change of state, not one per attempt: a sidecar that is away for a day costs
 * two lines.
 */
final class StateLog {
  private final Logger logger;
  private final Set<String> said = new HashSet<>();
  private String state = "";

  StateLog(Logger logger) {
    this.logger = logger;
  }

  /** A log of other states and subjects, for another thread. */
  StateLog another() {
    return new StateLog(logger);
  }

  /** Logs the message unless the state is the same as at the last call. */
  void enter(String newState, Level level, String message) {
    if (!newState.equals(state)) {
      state = newState;
      always(level, message);
    }
  }

  /** Logs the message unless one of this subject was logged since the last {@link #forget}. */
  void once(String subject, Level level, String message) {
    if (said.add(subject)) {
      always(level, message);
    }
  }

  /** Subjects may be logged again. */
  void forget() {
    said.clear();
  }

  /** Logs the message, on one line whatever the sidecar wrote into it. */
  void always(Level level, String message) {
    logger.log(level, message.replaceAll("\\p{Cntrl}", " "));
  }

  /** Logs an unexpected failure with its stack. */
  void failure(String message, Throwable failure) {
    logger.log(Level.ERROR, message, failure);
  }
}
