package io.hdrsidecar.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.SidecarJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A run of the kit against a client.
 *
 * @param printed table and failures
 */
record KitRun(int exit, String printed) {
  /** {@code java -jar hdr-sidecar.jar conformance <options> -- <client>}, to its end. */
  static KitRun of(List<String> options, List<String> client)
      throws IOException, InterruptedException {
    List<String> command = SidecarJar.command("conformance");
    command.addAll(options);
    command.add("--");
    command.addAll(client);
    Process kit = Launch.builder(command).start();
    String printed = new String(kit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new KitRun(kit.waitFor(), printed);
  }

  /** Nothing is broken. */
  void assertPassed() {
    System.out.println(printed.lines().reduce("", (before, line) -> line));
    assertThat(exit).as("%s", printed).isZero();
    assertThat(printed).doesNotContain("FAILED").containsPattern("(\\d+) of \\1 cases passed");
  }

  /** This law is broken. */
  void assertBroken(String law) {
    assertThat(exit).as("%s", printed).isEqualTo(1);
    assertThat(printed)
        .containsPattern("(?m)^" + law + " +\\d+  FAILED in ")
        .contains("  FAILED    " + law + System.lineSeparator());
  }
}
