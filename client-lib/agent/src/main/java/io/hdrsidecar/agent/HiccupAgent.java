package io.hdrsidecar.agent;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code -javaagent} starts before a program's own main:
 *
 * <pre>
 * java -javaagent:hdr-sidecar-agent.jar=address=tcp://127.0.0.1:9924,interval=1s,labels=app=x -jar program.jar
 * </pre>
 *
 * <p>Each argument stands for the environment variable of the same meaning and goes before it:
 * {@code interval} for {@code HDR_SIDECAR_INTERVAL}, see {@link ClientConfig#fromEnvironment}.
 * Several labels are several arguments: {@code labels=app=x,labels=zone=a}. Hiccups are on unless
 * {@code hiccups=false}. The client's threads are daemons, and its shutdown hook delivers the last
 * interval.
 *
 * <p>The jar works alone, and beside any program: what the agent needs is in it under names of its
 * own, so a program that has the client inside uses its own classes, and is another client. A wrong
 * argument costs the hiccups and one line on stderr; the program starts all the same.
 */
public final class HiccupAgent {
  private HiccupAgent() {}

  /** Called by the JVM. */
  public static void premain(@Nullable String arguments) {
    try {
      Map<String, String> settings =
          AgentArguments.over(System.getenv(), arguments == null ? "" : arguments);
      // The shutdown hook closes it, not its creator.
      @SuppressWarnings("MustBeClosedChecker")
      HdrSidecarClient running = HdrSidecarClient.create(ClientConfig.fromEnvironment(settings));
      assert running != null;
    } catch (RuntimeException | LinkageError e) {
      // Whatever is wrong with the measurement, an exception from here would keep the program down.
      System.err.println("hdr-sidecar agent: measures nothing: " + e.getMessage());
    }
  }
}
