package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import java.io.IOException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * {@code hdr-sidecar serve} on a Unix socket with the settings of the image, which looks for its
 * own hiccups each 10 ms. Between the two stands a proxy that counts.
 */
final class SidecarBeside {
  private static final Pattern READY = Pattern.compile("ready.*http=(?<http>http://\\S+)");

  private SidecarBeside() {}

  static Beside start(Path folder, Programs programs, int series)
      throws IOException, InterruptedException {
    Path socket = folder.resolve("sidecar.sock");
    Path entrance = folder.resolve("entrance.sock");
    Files.deleteIfExists(entrance);
    List<String> command = new ArrayList<>(List.of(programs.sidecarJava().toString()));
    command.addAll(programs.sidecarJvmOptions(series));
    command.addAll(List.of("-jar", programs.sidecarJar().toString(), "serve"));
    command.addAll(List.of("--ingest-port=0", "--http-port=0", "--ingest-unix-socket=" + socket));
    command.addAll(programs.sidecarSettings());
    Child process = Child.start(command, programs.sidecarEnvironment());
    URI http = URI.create(process.awaitLine(READY).group("http"));
    CountingProxy proxy =
        new CountingProxy(UnixDomainSocketAddress.of(entrance), UnixDomainSocketAddress.of(socket));
    return new ProgramBeside("unix://" + entrance, process, http.resolve("/metrics"), proxy);
  }
}
