package io.hdrsidecar.sidecar.demo;

/** What the table means, in plain words. */
final class Explanation {
  private static final String DIFFERENCE =
      """

      Service time starts when a call is made, response time when it should have been made: the
      difference is the time calls waited while their thread was held up by calls before them, and
      a measurement of service time alone leaves it out (coordinated omission).
      """;

  private Explanation() {}

  /**
   * The text under the table.
   *
   * @param callsMade calls recorded
   * @param callsDue calls whose intended start came before the end
   */
  static String of(long callsMade, long callsDue) {
    if (callsMade >= callsDue) {
      return DIFFERENCE;
    }
    return DIFFERENCE
        + String.format(
            "%d calls of the schedule were still waiting at the end and are in neither series.%n",
            callsDue - callsMade);
  }
}
