package io.hdrsidecar.internal.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A folder in memory for each test, where the system has such a place. */
final class MemoryFolder implements BeforeEachCallback, AfterEachCallback {
  private static final Path MEMORY = Path.of("/dev/shm");
  private Path folder = MEMORY;

  Path path() {
    return folder;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    Assumptions.assumeTrue(Files.isWritable(MEMORY), "no " + MEMORY);
    folder = Files.createTempDirectory(MEMORY, "hdr-sidecar-test");
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    if (folder.equals(MEMORY)) {
      return;
    }
    List<Path> left;
    try (Stream<Path> files = Files.list(folder)) {
      left = files.toList();
    }
    for (Path file : left) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
