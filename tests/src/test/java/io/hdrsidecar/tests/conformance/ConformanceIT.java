package io.hdrsidecar.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.Launch;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client in front of the conformance kit, and the kit in front of what is no client. */
final class ConformanceIT {
  private static List<String> java() {
    return Launch.program(Launch.SHORT_LIVED, JavaConformanceClient.class, List.of());
  }

  @Test
  void javaClient_keepsAllLaws() throws Exception {
    KitRun.of(List.of(), java()).assertPassed();
  }

  @Test
  void programThatIsNotThere_isSaidSo(@TempDir Path folder) throws Exception {
    String missing = folder.resolve("missing").toString();

    KitRun run = KitRun.of(List.of("--case=plain"), List.of(missing));

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.printed()).startsWith("cannot run the client: ").contains(missing);
  }

  /** It ends at once, and never connects. */
  @Test
  void programThatIsNoClient_failsInEachCase() throws Exception {
    KitRun run = KitRun.of(List.of("--case=plain", "--case=killed"), List.of("true"));

    run.assertBroken("end");
    assertThat(run.printed()).contains("0 of 2 cases passed");
  }
}
