package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.process.FreePort;
import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Starts of a sidecar, each until its readiness probe is answered with 200. */
final class StartTimes {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = 2_000_000;

  private final List<Double> clockMillis = new ArrayList<>();
  private final List<Double> cpuMillis = new ArrayList<>();

  /**
   * Starts it so often, one after the other.
   *
   * @param prefix what goes before the command, such as {@code taskset -c 1}; may be empty
   */
  static StartTimes of(int starts, List<String> prefix, Path java, List<String> jvmOptions)
      throws IOException, InterruptedException {
    StartTimes times = new StartTimes();
    for (int i = 0; i < starts; i++) {
      times.start(prefix, java, jvmOptions);
    }
    return times;
  }

  private void start(List<String> prefix, Path java, List<String> jvmOptions)
      throws IOException, InterruptedException {
    int port = FreePort.tcp();
    List<String> command = new ArrayList<>(prefix);
    command.add(java.toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", SidecarRun.jar().toString(), "serve", "--ingest-port=0"));
    command.add("--http-port=" + port);
    ProcessBuilder builder =
        Launch.builder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest probe =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/-/ready")).build();
    long begin = System.nanoTime();
    Process process = builder.start();
    try {
      while (!isReady(client, probe)) {
        if (!process.isAlive() || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IOException("not ready: " + command);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
      clockMillis.add((System.nanoTime() - begin) / 1e6);
      cpuMillis.add(new ProcessUsage(process.pid()).cpuNanos() / 1e6);
    } finally {
      process.destroy();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  /** Before it listens, a connection is refused; while it begins to, it may be closed at once. */
  private static boolean isReady(HttpClient client, HttpRequest probe) throws InterruptedException {
    try {
      return client.send(probe, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Cells of a table: least and median by the clock, least and median on processors. */
  String row() {
    return String.format(
        Locale.ROOT,
        "%.0f | %.0f | %.0f | %.0f",
        Collections.min(clockMillis),
        median(clockMillis),
        Collections.min(cpuMillis),
        median(cpuMillis));
  }

  private static double median(List<Double> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }
}
