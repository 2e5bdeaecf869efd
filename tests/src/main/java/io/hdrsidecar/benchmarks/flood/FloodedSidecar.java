package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process under attack; what it prints goes to standard error.
 *
 * @param keptMib the most that was left on the heap after a collection, in MiB
 */
record FloodedSidecar(Process process, String ingest, URI http, AtomicLong keptMib) {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final Pattern COLLECTION = Pattern.compile("\\[gc.*Pause.* \\d+M->(?<kept>\\d+)M");

  static FloodedSidecar start(int heapMib, Pattern ready) throws Exception {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A session of its own is a group of the scheduler's, as a container is: a thousand threads
      // that attack it do not take a thousand shares of its processors.
      command.add(SETSID.toString());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMib + "m");
    command.add("-Xlog:gc");
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
    AtomicLong keptMib = new AtomicLong();
    Thread reader = new Thread(() -> read(process, ready, found, keptMib), "output");
    reader.setDaemon(true);
    reader.start();
    Matcher line = found.get();
    URI http = URI.create(line.group("http"));
    return new FloodedSidecar(process, line.group("ingest"), http, keptMib);
  }

  private static void read(
      Process process, Pattern ready, CompletableFuture<Matcher> found, AtomicLong keptMib) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = ready.matcher(line);
        if (matcher.find()) {
          found.complete(matcher);
        }
        Matcher collection = COLLECTION.matcher(line);
        if (collection.find()) {
          keptMib.accumulateAndGet(Long.parseLong(collection.group("kept")), Math::max);
        } else {
          System.err.println(line);
        }
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
