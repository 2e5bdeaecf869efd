package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.benchmarks.process.ProcessLines;
import io.hdrsidecar.benchmarks.process.ProcessUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One run of {@code hdr-sidecar.jar serve} as users start it, in a folder of its own that goes with
 * it, on a Unix socket and on ports that the system picks.
 */
final class SidecarRun implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile(
          "event=ready .*ingest=(?<tcp>tcp://\\S+) unix=(?<unix>unix://\\S+) http=(?<http>\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final Path java;
  private final Process process;
  private final ProcessLines output;
  private final Matcher ready;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * Starts one and waits until it is ready.
   *
   * @param prefix what goes before the command, such as {@code taskset -c 1}; may be empty
   * @param java the launcher
   * @param settings of {@code serve}; {@code FOLDER} in one becomes the folder of this run
   */
  SidecarRun(List<String> prefix, Path java, List<String> jvmOptions, List<String> settings)
      throws IOException, InterruptedException {
    this.java = java;
    folder = Files.createTempDirectory("hdr-load");
    List<String> command = new ArrayList<>(prefix);
    command.add(java.toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", jar().toString(), "serve", "--ingest-port=0", "--http-port=0"));
    command.add("--ingest-unix-socket=" + folder.resolve("sock"));
    settings.forEach(setting -> command.add(setting.replace("FOLDER", folder.toString())));
    process = Launch.builder(command).start();
    output = new ProcessLines(process);
    ready = awaitReady(command);
  }

  private Matcher awaitReady(List<String> command) throws IOException, InterruptedException {
    try {
      return output.awaitLine(READY, PATIENCE);
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException("not ready: " + command + "\n" + output, e);
    }
  }

  /** {@code sidecar/target/hdr-sidecar.jar}, found from {@code tests/target/benchmarks.jar}. */
  static Path jar() throws IOException {
    Path benchmarks = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
    Path jar = benchmarks.resolve("../../../sidecar/target/hdr-sidecar.jar").normalize();
    if (!Files.isRegularFile(jar)) {
      throw new IOException("not built, run mvn -DskipTests package first: " + jar);
    }
    return jar;
  }

  /** {@code tcp://127.0.0.1:41234}. */
  String tcpAddress() {
    return ready.group("tcp");
  }

  /** {@code unix:///tmp/...}. */
  String unixAddress() {
    return ready.group("unix");
  }

  /** Address of something that it serves. */
  URI http(String path) {
    return URI.create(ready.group("http")).resolve(path);
  }

  /** What the kernel says of it. */
  ProcessUsage usage() {
    return new ProcessUsage(process.pid());
  }

  /** The answer to a GET; an error for any status but 200. */
  byte[] get(String path, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(http(path)).timeout(PATIENCE);
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(path + " answered " + answer.statusCode());
    }
    return answer.body();
  }

  /** A sample without labels on the page that Prometheus scrapes. */
  String sample(String name) throws IOException, InterruptedException {
    String page = new String(get("/metrics"), StandardCharsets.UTF_8);
    Matcher sample =
        Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE).matcher(page);
    if (!sample.find()) {
      throw new IOException("/metrics has no " + name);
    }
    return sample.group(1);
  }

  /** Has the JVM do something, by {@code jcmd}, and gives what it says. */
  List<String> jcmd(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(java.resolveSibling("jcmd").toString());
    all.add(Long.toString(process.pid()));
    all.addAll(List.of(command));
    Process jcmd = new ProcessBuilder(all).redirectErrorStream(true).start();
    List<String> output = jcmd.inputReader(StandardCharsets.UTF_8).lines().toList();
    if (jcmd.waitFor() != 0) {
      throw new IOException(all + " ended with " + jcmd.exitValue() + ": " + output);
    }
    return output;
  }

  /** Ends it by SIGTERM, and removes its folder. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
