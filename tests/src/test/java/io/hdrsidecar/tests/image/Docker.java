package io.hdrsidecar.tests.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line of Docker, which does what a kubelet does and Testcontainers hides. */
final class Docker {
  private static final long MINUTES = 8;

  private Docker() {}

  /**
   * What a command prints, its errors included.
   *
   * @param ended whether it ended with 0
   */
  record Result(boolean ended, String output) {}

  /** Runs {@code docker} with arguments; what it printed, without line end. */
  static String run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  /** The same. */
  static String run(List<String> arguments) throws IOException, InterruptedException {
    Result result = attempt(arguments);
    if (!result.ended()) {
      throw new AssertionError("docker " + arguments + " failed: " + result.output());
    }
    return result.output();
  }

  /** Runs {@code docker}, which may fail. */
  static Result attempt(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end: " + output);
    }
    return new Result(process.exitValue() == 0, output.strip());
  }

  /** A field of a container or image, as a Go template. */
  static String inspect(String name, String template) throws IOException, InterruptedException {
    return run("inspect", "--format", template, name);
  }
}
