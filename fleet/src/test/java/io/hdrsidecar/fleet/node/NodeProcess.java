package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.FleetMain;
import io.hdrsidecar.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node as a real process, which can be killed. */
final class NodeProcess implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("event=ready http=(\\S+)");

  private final Process process;
  private final List<String> output = new ArrayList<>();
  private final URI http;

  private NodeProcess(Process process) throws IOException {
    this.process = process;
    BufferedReader lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
    URI found = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.add(line);
      Matcher ready = READY.matcher(line);
      if (ready.find()) {
        found = URI.create(ready.group(1));
        break;
      }
    }
    if (found == null) {
      throw new IOException("the node has ended: " + output);
    }
    http = found;
    Thread drain = new Thread(() -> keepAll(lines), "output of a node");
    drain.setDaemon(true);
    drain.start();
  }

  private void keepAll(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
      }
    } catch (IOException e) {
      keep("no more, as it was killed: " + e.getMessage());
    }
  }

  private synchronized void keep(String line) {
    output.add(line);
  }

  static NodeProcess start(String brokers, Path state, List<String> more) throws IOException {
    return start("256m", brokers, state, more);
  }

  /** The same with a larger heap, as for {@code -Xmx}. */
  static NodeProcess start(String heap, String brokers, Path state, List<String> more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "node",
                "--kafka-bootstrap-servers=" + brokers,
                "--kafka-replicas=1",
                "--node-state-directory=" + state,
                "--http-port=0"));
    arguments.addAll(more);
    return new NodeProcess(
        JavaProgram.builder(List.of("-Xmx" + heap), FleetMain.class, arguments).start());
  }

  /** Where it answers. */
  URI http() {
    return http;
  }

  /** What it has said. */
  synchronized String output() {
    return String.join("\n", output);
  }

  /** As by kill -9, and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** As by a platform, and waits. */
  int end() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    kill();
  }
}
