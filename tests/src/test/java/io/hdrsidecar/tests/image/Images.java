package io.hdrsidecar.tests.image;

import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The images under test, each built once, by the scripts a user calls; the build stage is a JDK 25
 * of this machine, since that of the registry may not be there to pull. Without such a JDK tests
 * are skipped, or fail where nothing may be.
 */
final class Images {
  private static final Path SCRIPTS = Path.of("../k8s/image").toAbsolutePath().normalize();

  private static @Nullable String sidecar;
  private static @Nullable String example;
  private static @Nullable String fleet;

  private Images() {}

  /** The sidecar's. */
  static synchronized String sidecar() throws IOException, InterruptedException {
    if (sidecar == null) {
      sidecar = build("build", "hdr-sidecar:test");
    }
    return sidecar;
  }

  /** That of the example application. */
  static synchronized String example() throws IOException, InterruptedException {
    if (example == null) {
      example = build("build-example", "hdr-sidecar-example:test");
    }
    return example;
  }

  /** That of gateways and nodes. */
  static synchronized String fleet() throws IOException, InterruptedException {
    if (fleet == null) {
      fleet = build("build-fleet", "hdr-sidecar-fleet:test");
    }
    return fleet;
  }

  /** Builds one under this name; more arguments for the script may follow. */
  static String build(String script, String tag, String... more)
      throws IOException, InterruptedException {
    Tool.bring(List.of("docker", "version"), SCRIPTS);
    Tool.bring(List.of(SCRIPTS + "/find-jdk"), SCRIPTS);
    List<String> command =
        new ArrayList<>(List.of(SCRIPTS + "/" + script, "--jdk-home", "find", "--tag", tag));
    command.addAll(List.of(more));
    Tool.run(command, SCRIPTS);
    return tag;
  }

  /** An image with a shell, for what a cluster does around the containers. */
  static String tools() throws IOException, InterruptedException {
    String jdk = Tool.run(List.of(SCRIPTS + "/find-jdk"), SCRIPTS).strip();
    return Tool.run(List.of(SCRIPTS + "/jdk-image", jdk), SCRIPTS).strip();
  }

  /** What somebody pulls; prints it layer by layer. */
  static long compressedBytes(String image) throws IOException, InterruptedException {
    String sizes = script("sizes", image);
    System.out.println(sizes);
    String total = "total ";
    String line = sizes.lines().filter(l -> l.startsWith(total)).findFirst().orElseThrow();
    return Long.parseLong(line.substring(total.length()));
  }

  /** What a script of {@code k8s/image} prints. */
  static String script(String name, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(SCRIPTS + "/" + name));
    command.addAll(List.of(arguments));
    return Tool.run(command, SCRIPTS);
  }
}
