package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.benchmarks.process.Launch;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Asks a sidecar for {@code /-/healthy} ten times a second, each time on a connection of its own
 * from an address of its own, as a kubelet does. It is a process of its own, with its own share of
 * the processors: what it measures is the sidecar, not the thousand threads that attack it. It ends
 * with its standard input, but not before it was answered once, or was not for {@link #LONGEST}: on
 * a busy machine everything is slow. So a flood is judged by whether there is an answer at all
 * while it lasts; how soon answers come is printed.
 */
public final class HealthProbe {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int PERIOD_MILLIS = 100;

  private static final int LATE_MILLIS = 1_000;

  /** So long that only a sidecar that does not answer at all reaches it. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final URI http;
  private final InetAddress from;
  private final Histogram millis = new Histogram(60_000, 3);
  private long unanswered;

  /**
   * What a probe saw.
   *
   * @param healthy how often the sidecar said that it is healthy
   * @param unanswered how often it did not
   * @param p99Millis milliseconds within which 99 % of the answers had come
   * @param slowestMillis milliseconds within which all of them had
   */
  record Result(long healthy, long unanswered, long p99Millis, long slowestMillis) {}

  private HealthProbe(URI http) throws IOException {
    this.http = http;
    this.from = InetAddress.getByName("127.0.0.2");
  }

  /** Probes the address that is its argument. */
  public static void main(String[] args) throws Exception {
    HealthProbe probe = new HealthProbe(URI.create(args[0]));
    Thread probing = new Thread(probe::run, "probe");
    probing.setDaemon(true);
    probing.start();
    System.in.transferTo(OutputStream.nullOutputStream());
    System.out.println(probe.seen());
  }

  /** Starts one in a process of its own. */
  static Process start(URI http) throws IOException {
    List<String> command = new ArrayList<>(FloodedSidecar.OF_ITS_OWN);
    command.addAll(
        Launch.program(
            List.of("-XX:+UseSerialGC", "-Xmx64m"), HealthProbe.class, List.of(http.toString())));
    return Launch.builder(command).start();
  }

  /** Ends one, and says what it saw. */
  static Result end(Process probe) throws IOException {
    probe.outputWriter(StandardCharsets.UTF_8).close();
    try (BufferedReader lines = probe.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      while (line != null && !line.startsWith("{")) {
        System.err.println("probe: " + line);
        line = lines.readLine();
      }
      if (line == null) {
        throw new IOException("the probe ended without a word");
      }
      JsonObject seen = new JsonObject(line);
      return new Result(
          seen.getLong("healthy"),
          seen.getLong("unanswered"),
          seen.getLong("p99"),
          seen.getLong("slowest"));
    }
  }

  private void run() {
    try {
      while (true) {
        askHealthy();
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized JsonObject seen() throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (millis.getTotalCount() == 0 && System.nanoTime() - deadline < 0) {
      wait(PERIOD_MILLIS);
    }
    return new JsonObject()
        .put("healthy", millis.getTotalCount())
        .put("unanswered", unanswered)
        .put("p99", millis.getValueAtPercentile(99))
        .put("slowest", millis.getMaxValue());
  }

  private void askHealthy() {
    long start = System.nanoTime();
    boolean answered = false;
    try {
      String answer = get("/-/healthy");
      answered = answer.startsWith("HTTP/1.1 200 ");
      if (!answered) {
        System.err.println("/-/healthy: " + answer);
      }
    } catch (IOException e) {
      System.err.println("/-/healthy: " + e);
    }
    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    if (took > LATE_MILLIS) {
      System.err.printf("/-/healthy took %d ms at %s%n", took, Instant.now());
    }
    synchronized (this) {
      if (answered) {
        millis.recordValue(Math.min(took, millis.getHighestTrackableValue()));
      } else {
        unanswered++;
      }
      notifyAll();
    }
  }

  private String get(String path) throws IOException {
    try (Socket socket = new Socket(http.getHost(), http.getPort(), from, 0)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
