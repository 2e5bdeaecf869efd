package io.hdrsidecar.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs in JVMs of their own, with the class path of these tests. */
public final class JavaProgram {
  private JavaProgram() {}

  /** How one has ended, and all it has printed. */
  public record Ended(int exitCode, String output) {}

  /**
   * One to be started, whose errors go where its output goes. It has no settings but these, and
   * starts as the sidecar's image does, with another collector only if an option names it.
   */
  public static ProcessBuilder builder(
      List<String> jvmOptions, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // It lives for seconds.
    if (jvmOptions.stream().noneMatch(option -> option.matches("-XX:\\+Use.*GC"))) {
      command.add("-XX:+UseSerialGC");
    }
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("HDR_SIDECAR_"));
    return builder;
  }

  /**
   * Takes signals though its parent ignores them, as a shell without job control lets what it
   * starts in the background: Java keeps those ignored otherwise.
   */
  public static ProcessBuilder heedingSignals(ProcessBuilder builder) {
    builder.command().addAll(0, List.of("env", "--default-signal=HUP,INT,TERM"));
    return builder;
  }

  /** Runs one to its end. */
  public static Ended run(List<String> jvmOptions, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    Process process = builder(jvmOptions, program, List.of(arguments)).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
