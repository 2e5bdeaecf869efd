package io.hdrsidecar.sidecar.inject;

/**
 * What others wrote, fit for one line of a log or a warning: names and values in a review are
 * checked by the API server only after its webhooks have been asked.
 */
final class LogSafeText {
  private static final int MAX_LENGTH = 80;

  private LogSafeText() {}

  /** Without line ends and other control characters, and not longer than 80 characters. */
  static String text(String text) {
    String oneLine = text.replaceAll("\\p{Cntrl}", " ");
    return oneLine.length() <= MAX_LENGTH ? oneLine : oneLine.substring(0, MAX_LENGTH) + "...";
  }
}
