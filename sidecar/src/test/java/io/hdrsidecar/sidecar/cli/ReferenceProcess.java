package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.HdrHistogram.HistogramLogProcessor;

/** HistogramLogProcessor itself, as people run it. */
final class ReferenceProcess {
  private ReferenceProcess() {}

  /** Runs it to its end; what it prints to standard output and error goes to the files. */
  static void run(Path out, Path err, List<String> arguments)
      throws IOException, InterruptedException, URISyntaxException {
    Path jar =
        Path.of(
            HistogramLogProcessor.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // it lives for a moment only
    command.add("-Duser.timezone=" + TimeZone.getDefault().getID());
    command.addAll(List.of("-cp", jar.toString(), HistogramLogProcessor.class.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.waitFor();
    if (!Files.exists(out)) {
      throw new IOException("did not start: " + command);
    }
  }
}
