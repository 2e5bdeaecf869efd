package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process under attack; what it prints goes to standard error.
 *
 * @param keptMib the most that was left on the heap after a full collection, in MiB; others leave
 *     garbage in regions that they did not look at
 */
record FloodedSidecar(Process process, String ingest, URI http, AtomicLong keptMib) {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  /**
   * What starts a process in a session of its own, which is a group of the scheduler's, as a
   * container is: a thousand threads that attack it do not take a thousand shares of its
   * processors.
   */
  static final List<String> OF_ITS_OWN =
      Files.isExecutable(SETSID) ? List.of(SETSID.toString()) : List.of();

  private static final Pattern READY =
      Pattern.compile("ready.*ingest=(?<ingest>tcp://\\S+).*http=(?<http>http://\\S+)");

  private static final Pattern COLLECTION =
      Pattern.compile("\\[gc.*Pause Full.* \\d+M->(?<kept>\\d+)M");

  static FloodedSidecar start(int heapMib) throws Exception {
    List<String> command = new ArrayList<>(command(heapMib));
    command.addAll(List.of("serve", "--ingest-port=0", "--http-port=0"));
    command.addAll(List.of(System.getProperty("flood.options", "").split(" ", -1)));
    command.removeIf(String::isEmpty);
    Process process = Launch.builder(command).start();
    CompletableFuture<Matcher> found = new CompletableFuture<>();
    AtomicLong keptMib = new AtomicLong();
    Thread reader = new Thread(() -> read(process, found, keptMib), "output");
    reader.setDaemon(true);
    reader.start();
    Matcher line = found.get();
    URI http = URI.create(line.group("http"));
    return new FloodedSidecar(process, line.group("ingest"), http, keptMib);
  }

  private static List<String> command(int heapMib) {
    String other = System.getProperty("flood.command", "");
    if (!other.isEmpty()) {
      return List.of(other.split(" ", -1));
    }
    List<String> command = new ArrayList<>(OF_ITS_OWN);
    command.add(Launch.java().toString());
    command.add("-Xmx" + heapMib + "m");
    command.add("-Xlog:gc");
    command.addAll(List.of(System.getProperty("flood.jvm", "").split(" ", -1)));
    String jar = System.getProperty("flood.jar", "");
    command.addAll(
        jar.isEmpty()
            ? List.of("-cp", System.getProperty("java.class.path"), "io.hdrsidecar.sidecar.Main")
            : List.of("-jar", jar));
    return command;
  }

  private static void read(Process process, CompletableFuture<Matcher> found, AtomicLong keptMib) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = READY.matcher(line);
        if (matcher.find()) {
          found.complete(matcher);
        }
        Matcher collection = COLLECTION.matcher(line);
        if (collection.find()) {
          keptMib.accumulateAndGet(Long.parseLong(collection.group("kept")), Math::max);
        } else if (!line.contains("[gc")) {
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

  /** Makes it collect all garbage, so that what is left is what it holds. */
  void collect() throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    List<String> command = new ArrayList<>(OF_ITS_OWN);
    command.addAll(List.of(jcmd.toString(), Long.toString(process.pid()), "GC.run"));
    new ProcessBuilder(command)
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** By SIGTERM first, so that {@code docker run} ends its container, too. */
  void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
