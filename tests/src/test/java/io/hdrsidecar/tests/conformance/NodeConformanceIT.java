package io.hdrsidecar.tests.conformance;

import io.hdrsidecar.tests.support.RequiresPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Node client in front of the conformance kit. It has no dependencies, so a link is enough. */
@RequiresPrograms("node")
final class NodeConformanceIT {
  private static final Path PACKAGE = Path.of("../client-lib/node").toAbsolutePath().normalize();
  private static final Path SOURCE = Path.of("src/test/js/client/conformance.mjs");

  @Test
  void nodeClient_keepsAllLaws() throws Exception {
    Path project = Path.of("target/node-conformance").toAbsolutePath();
    Path link = Files.createDirectories(project.resolve("node_modules")).resolve("hdr-sidecar");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, PACKAGE);
    Path program = project.resolve("conformance.mjs");
    Files.copy(SOURCE, program, StandardCopyOption.REPLACE_EXISTING);

    KitRun.of(List.of(), List.of("node", program.toString())).assertPassed();
  }
}
