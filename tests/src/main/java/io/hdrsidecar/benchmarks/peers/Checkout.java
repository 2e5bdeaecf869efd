package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.peers.beside.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The source tree that these classes were built in. */
record Checkout(Path root) {
  /** From the classes or the jar upwards. */
  static Checkout find() throws IOException {
    try {
      Path classes =
          Path.of(Peers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (@Nullable Path at = classes.toAbsolutePath(); at != null; at = at.getParent()) {
        if (Files.exists(at.resolve("k8s/image/java.options"))) {
          return new Checkout(at);
        }
      }
      throw new IOException("not inside a checkout of hdr-sidecar: " + classes);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("classes have no path", e);
    }
  }

  Path results() {
    return root.resolve("tests/benchmarks/RESULTS.md");
  }

  Programs programs(List<String> sidecarSettings) throws IOException, InterruptedException {
    @Nullable String caches = System.getenv("XDG_CACHE_HOME");
    Path cache =
        caches == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
    return new Programs(root, cache.resolve("hdr-sidecar/peers"), sidecarJava(), sidecarSettings);
  }

  /** Of the JDK that the image would be built with; else the one that runs this. */
  private Path sidecarJava() throws IOException, InterruptedException {
    Process find =
        new ProcessBuilder(root.resolve("k8s/image/find-jdk").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String home = new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    Path jdk = find.waitFor() == 0 ? Path.of(home) : Path.of(System.getProperty("java.home"));
    return jdk.resolve("bin/java");
  }

  /** Deletes a folder and what is in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
