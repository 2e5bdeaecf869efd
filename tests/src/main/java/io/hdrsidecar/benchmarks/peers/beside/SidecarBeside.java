package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import java.io.IOException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code hdr-sidecar serve} on a Unix socket with the settings of the image, which looks for its
 * own hiccups each 10 ms. Between the two stands a proxy that counts.
 */
final class SidecarBeside implements Beside {
  private static final Pattern READY = Pattern.compile("ready.*http=(?<http>http://\\S+)");

  private final CountingProxy proxy;
  private final Path entrance;
  private final Child process;
  private final URI metrics;

  SidecarBeside(Path folder, Programs programs, int series)
      throws IOException, InterruptedException {
    Path socket = folder.resolve("sidecar.sock");
    this.entrance = folder.resolve("entrance.sock");
    Files.deleteIfExists(entrance);
    List<String> command = new ArrayList<>(List.of(programs.sidecarJava().toString()));
    command.addAll(programs.sidecarJvmOptions(series));
    command.addAll(List.of("-jar", programs.sidecarJar().toString(), "serve"));
    command.addAll(List.of("--ingest-port=0", "--http-port=0", "--ingest-unix-socket=" + socket));
    command.addAll(programs.sidecarSettings());
    this.process = Child.start(command, programs.sidecarEnvironment());
    Matcher ready = process.awaitLine(READY);
    this.metrics = URI.create(ready.group("http")).resolve("/metrics");
    this.proxy =
        new CountingProxy(UnixDomainSocketAddress.of(entrance), UnixDomainSocketAddress.of(socket));
  }

  @Override
  public String address() {
    return "unix://" + entrance;
  }

  @Override
  public Child process() {
    return process;
  }

  @Override
  public URI metrics() {
    return metrics;
  }

  @Override
  public long wireBytes() {
    return proxy.bytes();
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    process.close();
  }
}
