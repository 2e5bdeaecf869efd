package io.hdrsidecar.fleet.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the programs of this module have in common: a jar, checks of numbers, and lines printed. */
final class ProgramOptions {
  @Option(
      names = "--fleet-jar",
      paramLabel = "<file>",
      description = "hdr-sidecar-fleet.jar, where it was not built beside this program.")
  private @Nullable Path fleetJar;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec program = CommandSpec.create();

  /** The jar of gateways and nodes. */
  Path fleetJar(Path checkout) {
    return orElse(fleetJar, checkout.resolve("fleet/target/hdr-sidecar-fleet.jar"));
  }

  /** The file that was given, or else the one that a build makes. */
  static Path orElse(@Nullable Path given, Path built) {
    return given == null ? built : given;
  }

  /** Refuses the program's start with a number out of range. */
  void check(String option, int value, int lowest, int highest) {
    if (value < lowest || value > highest) {
      throw new ParameterException(
          program.commandLine(),
          option + " must be from " + lowest + " to " + highest + ", not " + value);
    }
  }

  /** Prints a line at once. */
  void say(String line) {
    PrintWriter out = program.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
