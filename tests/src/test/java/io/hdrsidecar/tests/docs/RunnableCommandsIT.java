package io.hdrsidecar.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of README and {@code docs/} that are marked as runnable, in the order of their
 * page and by a shell, in a folder that looks like the root of a built checkout. The only changes:
 * {@code mvn} does nothing, as the jar is built, and ports are free ones.
 */
class RunnableCommandsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
  private static final Pattern OUR_ADDRESS = Pattern.compile("(localhost|127\\.0\\.0\\.1):9925");

  /** What the pages call test data of HdrHistogram. */
  private static final Map<String, String> FILES =
      Map.of(
          "sidecar", "sidecar",
          "client-lib", "client-lib",
          "jHiccup.hlog", "sidecar/src/test/resources/hlog/jHiccup-2.0.7S.logV2.hlog",
          "tagged.hlog", "sidecar/src/test/resources/hlog/tagged-Log.logV2.hlog",
          "12Krps", "sidecar/src/test/resources/hgrm/12Krps.hgrm");

  private static final String SHELL =
      """
      set -eu
      mvn() { :; }
      curl() { command curl --silent --show-error --fail "$@"; }
      hdr-sidecar() { java -jar sidecar/target/hdr-sidecar.jar "$@"; }
      """;

  @RegisterExtension final Processes processes = new Processes();

  private final Path folder;

  private final List<JavaProcess> servers = new ArrayList<>();
  private String port = "";

  RunnableCommandsIT() throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    this.folder = Files.createTempDirectory(Files.createDirectories(target), "page");
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Files.createSymbolicLink(folder.resolve(file.getKey()), ROOT.resolve(file.getValue()));
    }
  }

  static List<String> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
          .filter(page -> page.toString().endsWith(".md"))
          .map(page -> ROOT.relativize(page).toString())
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_commands_work(String page) throws Exception {
    for (CodeBlock block : CodeBlock.of(ROOT.resolve(page))) {
      if (block.mark().startsWith(CodeBlock.FILE)) {
        String name = block.mark().substring(CodeBlock.FILE.length());
        Files.writeString(folder.resolve(name), block.text());
      } else if (block.mark().equals(CodeBlock.SERVES)) {
        serve(block.text());
      } else if (block.mark().equals(CodeBlock.RUNNABLE)) {
        run(block);
      }
    }
  }

  /** SIGTERM to what the shells have started, or became: it ends in order, and with 0. */
  @AfterEach
  void stop() throws Exception {
    for (JavaProcess server : servers) {
      List<ProcessHandle> started =
          ProcessHandle.of(server.pid()).stream().flatMap(ProcessHandle::descendants).toList();
      if (started.isEmpty()) {
        server.terminate();
      }
      started.forEach(ProcessHandle::destroy);
      assertThat(server.awaitExit()).as("%s", server).isZero();
    }
  }

  private void run(CodeBlock block) throws Exception {
    if (!block.isTranscript()) {
      shell(block.text());
      return;
    }
    for (List<String> command : block.commands()) {
      String printed = shell(command.get(0)).replaceAll("(?m) +$", "").strip();
      assertThat(printed).as(command.get(0)).isEqualTo(command.get(1));
    }
  }

  private String shell(String command) throws Exception {
    if (port.isEmpty() && OUR_ADDRESS.matcher(command).find()) {
      serve("java -jar sidecar/target/hdr-sidecar.jar demo");
    }
    Path output = folder.resolve("output.txt");
    Path errors = folder.resolve("errors.txt");
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", SHELL + withPort(command));
    shell.environment().keySet().removeIf(name -> name.startsWith("HDR_SIDECAR_"));
    shell.environment().put("TZ", "UTC");
    Process process =
        shell
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    assertThat(process.waitFor(90, TimeUnit.SECONDS)).as(command).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, Files.readString(errors)).isZero();
    return Files.readString(output);
  }

  private String withPort(String command) {
    return OUR_ADDRESS.matcher(command).replaceAll("$1:" + port);
  }

  /** Runs it beside the commands that follow; its values are there when this returns. */
  private void serve(String command) throws Exception {
    String inFolder = "cd '" + folder + "'\n" + SHELL;
    JavaProcess process =
        processes.start(
            List.of("bash", "-c", inFolder + command),
            Map.of("HDR_SIDECAR_HTTP_PORT", "0", "HDR_SIDECAR_INGEST_PORT", "0"));
    servers.add(process);
    port = process.awaitLine(ADDRESS).group(1);
    String wanted =
        command.contains(" demo") ? "demo_call_seconds_count" : "hdr_sidecar_build_info";
    Eventually.holds(() -> assertThat(shell("curl localhost:9925/metrics")).contains(wanted));
  }
}
