package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Commands that run programs of these tests with the clients of other languages, each straight from
 * {@code client-lib}. What is built for it lies in folders of this JVM: others run at the same
 * time.
 */
public final class ClientCommands {
  private static final Path SOURCES = Path.of("src/test").toAbsolutePath();
  private static final Path CLIENTS = Path.of("../client-lib").toAbsolutePath().normalize();
  private static final Path TARGET =
      Path.of("target", "clients-" + ProcessHandle.current().pid()).toAbsolutePath();

  private ClientCommands() {}

  /** Builds a folder of {@code src/test/go}. */
  public static List<String> go(String folder) throws IOException, InterruptedException {
    String program = TARGET.resolve("go-" + folder).toString();
    Tool.run(List.of("go", "build", "-o", program, "."), SOURCES.resolve("go").resolve(folder));
    return List.of(program);
  }

  /** A program of {@code src/test/python}. */
  public static List<String> python(String program) {
    return List.of(
        "env",
        "PYTHONPATH=" + CLIENTS.resolve("python/src"),
        "PYTHONDONTWRITEBYTECODE=1",
        "python3",
        SOURCES.resolve("python").resolve(program).toString());
  }

  /** A program of {@code src/test/js/client}, in a project where a link is the package. */
  public static List<String> node(String program) throws IOException {
    Path project = TARGET.resolve("node-" + program);
    Path link = Files.createDirectories(project.resolve("node_modules")).resolve("hdr-sidecar");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, CLIENTS.resolve("node"));
    Path copy = project.resolve(program);
    Files.copy(
        SOURCES.resolve("js/client").resolve(program), copy, StandardCopyOption.REPLACE_EXISTING);
    return List.of("node", copy.toString());
  }
}
