package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The process under attack; what it prints goes to standard error. */
record FloodedSidecar(Process process, String ingest, URI http) {
  static FloodedSidecar start(int heapMib, Pattern ready) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMib + "m");
    command.addAll(List.of(System.getProperty("flood.jvm", "").split(" ", -1)));
    String jar = System.getProperty("flood.jar", "");
    if (jar.isEmpty()) {
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), "io.hdrsidecar.sidecar.Main"));
    } else {
      command.addAll(List.of("-jar", jar));
    }
    command.addAll(List.of("serve", "--ingest-port=0", "--http-port=0"));
    command.addAll(List.of(System.getProperty("flood.options", "").split(" ", -1)));
    command.removeIf(String::isEmpty);
    Process process = Launch.builder(command).start();
    CompletableFuture<Matcher> found = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, ready, found), "output");
    reader.setDaemon(true);
    reader.start();
    Matcher line = found.get();
    return new FloodedSidecar(process, line.group("ingest"), URI.create(line.group("http")));
  }

  private static void read(Process process, Pattern ready, CompletableFuture<Matcher> found) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = ready.matcher(line);
        if (matcher.find()) {
          found.complete(matcher);
        }
        System.err.println(line);
      }
    } catch (IOException e) {
      found.completeExceptionally(e);
    }
    found.completeExceptionally(new IllegalStateException("ended before it was ready"));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  void kill() {
    process.destroyForcibly();
  }
}
