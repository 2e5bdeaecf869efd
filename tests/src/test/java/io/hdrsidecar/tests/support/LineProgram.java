package io.hdrsidecar.tests.support;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Programs that answer each line of their input with a line: those of {@code .ci/promql}. */
public final class LineProgram {
  private LineProgram() {}

  /**
   * The answers, in the order of the lines.
   *
   * @throws AssertionError when it fails, or gives another number of lines
   */
  public static List<String> run(List<String> command, List<String> lines)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile("lines", ".txt");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(process, lines));
      List<String> answers =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList();
      if (process.waitFor() != 0 || answers.size() != lines.size()) {
        throw new AssertionError(
            "%s exited with %d after %d answers to %d lines: %s"
                .formatted(
                    command,
                    process.exitValue(),
                    answers.size(),
                    lines.size(),
                    Files.readString(errors)));
      }
      written.join();
      return answers;
    } finally {
      Files.delete(errors);
    }
  }

  private static void write(Process process, List<String> lines) {
    try (BufferedWriter out =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8))) {
      for (String line : lines) {
        out.write(line);
        out.newLine();
      }
    } catch (IOException e) {
      // It has ended before it had read all, which its exit code and its errors tell better.
    }
  }
}
