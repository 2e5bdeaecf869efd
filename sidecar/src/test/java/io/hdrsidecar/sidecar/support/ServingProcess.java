package io.hdrsidecar.sidecar.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Main;
import io.hdrsidecar.testing.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The command {@code serve} in a process of its own, on ports that are free. */
public final class ServingProcess implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Pattern READY =
      Pattern.compile("event=ready .*ingest=(?<ingest>\\S+) http=(?<http>\\S+)");

  private final Path output;
  private @Nullable Process started;
  private String ingest = "";
  private URI http = URI.create("http://127.0.0.1");

  /** One not started yet, which will print to a file in this folder. */
  public ServingProcess(Path folder) {
    this.output = folder.resolve("output.txt");
  }

  /** Starts it, and waits until it serves. */
  public void start(String... flags) throws Exception {
    launch(flags);
    Matcher ready = awaitLine(READY);
    ingest = ready.group("ingest");
    http = URI.create(ready.group("http"));
  }

  public void launch(String... flags) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    arguments.addAll(List.of(flags));
    started =
        JavaProgram.heedingSignals(JavaProgram.builder(List.of(), Main.class, arguments))
            .redirectOutput(output.toFile())
            .start();
  }

  @Override
  public void close() {
    if (started != null) {
      started.destroyForcibly();
    }
  }

  public Process process() {
    return Objects.requireNonNull(started, "not started");
  }

  /** What it has printed so far. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Matcher awaitLine(Pattern pattern) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      boolean mayFollow =
          process().isAlive() && System.nanoTime() - deadline < 0; // before it is read
      String printed = output();
      Matcher found = pattern.matcher(printed);
      if (found.find()) {
        return found;
      }
      assertThat(mayFollow).as("waiting for %s in%n%s", pattern, printed).isTrue();
      LockSupport.parkNanos(1_000_000);
    }
  }

  public void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process().pid())).start().waitFor();
  }

  /** Where clients send. */
  public String ingest() {
    return ingest;
  }

  /** Waits for its end. */
  public int exitCode() throws Exception {
    assertThat(process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    return process().exitValue();
  }

  public HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(http.resolve(path)));
  }

  /** Asks for the reload of its settings. */
  public HttpResponse<String> reload() throws Exception {
    return send(
        HttpRequest.newBuilder(http.resolve("/-/reload"))
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
  }
}
