package io.hdrsidecar.fleet.support;

import io.hdrsidecar.fleet.FleetMain;
import io.hdrsidecar.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway or a node as a real process, which is ready. */
public final class FleetProgram implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("event=ready (ingest=(?<ingest>\\S+) )?http=(?<http>\\S+)");

  private final Process process;
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Matcher ready;

  /** Starts it with ports of its own, and waits. */
  public FleetProgram(String command, List<String> settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command, "--http-port=0"));
    arguments.addAll(settings);
    process = JavaProgram.builder(List.of("-Xmx192m"), FleetMain.class, arguments).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    Matcher found = READY.matcher("");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      keep(line);
      found = READY.matcher(line);
      if (found.find()) {
        break;
      }
    }
    if (found.reset().results().findAny().isEmpty()) {
      throw new IOException(command + " has ended: " + output);
    }
    found.reset().find();
    ready = found;
    Thread rest = new Thread(() -> keepAll(lines), "output of a " + command);
    rest.setDaemon(true);
    rest.start();
  }

  private void keepAll(BufferedReader lines) {
    try {
      lines.lines().forEach(this::keep);
    } catch (UncheckedIOException e) {
      keep("no more, as it was killed: " + e.getMessage());
    }
  }

  private void keep(String line) {
    output.add(line);
  }

  /** Where sidecars hand on to, of a gateway. */
  public int ingestPort() {
    return URI.create(ready.group("ingest")).getPort();
  }

  /** What it has said. */
  public String output() {
    return String.join("\n", output);
  }

  /** An answer to GET. */
  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(ready.group("http")).resolve(path)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
