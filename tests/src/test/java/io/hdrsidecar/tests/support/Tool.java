package io.hdrsidecar.tests.support;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Programs that a test runs to their end. */
public final class Tool {
  private Tool() {}

  /**
   * What a command prints.
   *
   * @throws IOException when there is no such command
   * @throws AssertionError when it fails
   */
  public static String run(List<String> command, Path directory)
      throws IOException, InterruptedException {
    return run(new ProcessBuilder(command).directory(directory.toFile()));
  }

  /** The same for one with variables of its own. */
  static String run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("tool", ".txt");
    try {
      Process process = builder.redirectErrorStream(false).redirectError(errors.toFile()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(
            builder.command() + " failed: " + Files.readString(errors) + output);
      }
      return output;
    } finally {
      Files.delete(errors);
    }
  }

  /** Runs what brings a tool; without it the test is skipped, unless nothing may be. */
  public static void bring(List<String> command, Path directory)
      throws IOException, InterruptedException {
    try {
      run(command, directory);
    } catch (IOException | AssertionError e) {
      if (Boolean.parseBoolean(System.getenv(RequiresDocker.REQUIRED))) {
        throw e;
      }
      abort("cannot run " + command + ": " + e.getMessage());
    }
  }

  /**
   * Builds a program of Rust; without cargo the test is skipped. What cargo has in the folder
   * {@code CARGO_TARGET_DIR}, if that is set, it does not build again, but the program itself:
   * several checkouts may share that folder, and cargo takes what another one has built for this
   * one's, unless a source is newer. So the program is also kept out of that folder.
   */
  public static String cargo(Path project, String program)
      throws IOException, InterruptedException {
    Path target = Path.of(System.getenv().getOrDefault("CARGO_TARGET_DIR", "target/cargo"));
    String folder = target.toAbsolutePath().toString();
    Files.setLastModifiedTime(project.resolve("src/main.rs"), FileTime.from(Instant.now()));
    bring(List.of("cargo", "build", "--quiet", "--target-dir", folder), project);
    return Files.copy(
            Path.of(folder, "debug", program),
            Path.of("target", program).toAbsolutePath(),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES)
        .toString();
  }

  /**
   * A Python with packages from its registry, in a folder of its own under {@code target}.
   *
   * @param packages as {@code pip install} takes them
   */
  public static String python(String folder, List<String> packages)
      throws IOException, InterruptedException {
    Path environment = Path.of("target", folder).toAbsolutePath();
    Path python = environment.resolve("bin/python");
    if (!Files.exists(python)) {
      bring(List.of("python3", "-m", "venv", environment.toString()), Path.of("."));
    }
    List<String> install =
        new ArrayList<>(List.of(python.toString(), "-m", "pip", "install", "--quiet"));
    install.addAll(packages);
    bring(install, Path.of("."));
    return python.toString();
  }
}
