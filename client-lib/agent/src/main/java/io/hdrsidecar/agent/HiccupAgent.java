package io.hdrsidecar.agent;

import org.jspecify.annotations.Nullable;

/**
 * The agent that {@code -javaagent} starts before a program's own main:
 *
 * <pre>
 * java -javaagent:hdr-sidecar-agent.jar=address=tcp://127.0.0.1:9924,interval=1s,labels=app=x -jar program.jar
 * </pre>
 *
 * <p>Each argument stands for the environment variable of the same meaning and goes before it:
 * {@code interval} for {@code HDR_SIDECAR_INTERVAL}, see {@code ClientConfig.fromEnvironment}.
 * Several labels are several arguments: {@code labels=app=x,labels=zone=a}. Hiccups are on unless
 * {@code hiccups=false}. The client's threads are daemons, and its shutdown hook delivers the last
 * interval.
 *
 * <p>The jar works alone, and beside any program: what the agent needs is in it under names of its
 * own, so a program that has the client inside uses its own classes, and is another client. A wrong
 * argument costs the hiccups and one line on stderr, as does a Java older than 17; the program
 * starts all the same.
 *
 * <p>This class alone is compiled for Java 8: an older Java would not load the others, and keep the
 * program down.
 */
public final class HiccupAgent {
  private static final int OLDEST = 17;

  private HiccupAgent() {}

  /** Called by the JVM. */
  public static void premain(@Nullable String arguments) {
    String refusal =
        refusal(
            System.getProperty("java.specification.version"),
            System.getProperty("java.version"),
            System.getProperty("java.home"));
    if (refusal.isEmpty()) {
      HiccupMeasurement.start(arguments == null ? "" : arguments);
    } else {
      System.err.println(refusal);
    }
  }

  /**
   * Why nothing is measured on a Java; empty when it is.
   *
   * @param specification such as 1.8 and 11
   */
  static String refusal(String specification, String version, String home) {
    String number = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(number) >= OLDEST
        ? ""
        : "hdr-sidecar agent: measures nothing: needs Java "
            + OLDEST
            + " or newer, this is "
            + version
            + " ("
            + home
            + ")";
  }
}
