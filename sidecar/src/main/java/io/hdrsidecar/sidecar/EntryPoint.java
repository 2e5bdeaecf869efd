package io.hdrsidecar.sidecar;

/**
 * The class that {@code java -jar} starts: {@link Main}, or on a Java that is too old one line that
 * says so.
 *
 * <p>It alone is compiled for Java 8. Older ones would not load {@link Main}, and say no more than
 * the numbers of class files.
 */
public final class EntryPoint {
  private static final int OLDEST = 17;

  private EntryPoint() {}

  /** As {@link Main#main}; exits with 2 when Java is too old. */
  public static void main(String[] args) {
    endIfTooOld("hdr-sidecar");
    Main.main(args);
  }

  /**
   * Ends the process with 2 and a line on standard error when Java is too old.
   *
   * @param program as people call it
   */
  public static void endIfTooOld(String program) {
    String refusal =
        refusal(
            program,
            System.getProperty("java.specification.version"),
            System.getProperty("java.version"),
            System.getProperty("java.home"));
    if (!refusal.isEmpty()) {
      System.err.println(refusal);
      System.exit(2);
    }
  }

  /**
   * Why the program does not run on a Java; empty when it does.
   *
   * @param specification such as 1.8 and 11
   */
  static String refusal(String program, String specification, String version, String home) {
    String number = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(number) >= OLDEST
        ? ""
        : program + " needs Java " + OLDEST + " or newer, this is " + version + " (" + home + ")";
  }
}
