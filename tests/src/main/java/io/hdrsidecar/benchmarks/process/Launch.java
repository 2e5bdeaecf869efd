package io.hdrsidecar.benchmarks.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How processes are started that are measured or tested. */
public final class Launch {
  /**
   * For a JVM of which a test asks what it does, not how fast it is: it starts as the sidecar's
   * image does (k8s/image/java.options), and costs a good deal less than one that optimizes.
   */
  public static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=5", "-XX:+UseSerialGC");

  private Launch() {}

  /** The launcher of this JVM. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** The command that runs a class of this process's class path, on its Java. */
  public static List<String> program(
      List<String> jvmOptions, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    return command;
  }

  /**
   * A command whose two outputs are one, with the inherited variables but for settings of ours and
   * of the peers: this process was started with them for something else.
   */
  public static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(HDR_SIDECAR|DD|OTEL)_.*"));
    return builder;
  }
}
