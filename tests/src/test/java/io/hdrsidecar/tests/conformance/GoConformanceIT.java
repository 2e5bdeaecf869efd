package io.hdrsidecar.tests.conformance;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Go client in front of the conformance kit. */
@RequiresPrograms("go")
final class GoConformanceIT {
  private static final String PROGRAM =
      Path.of("target/go-conformance").toAbsolutePath().toString();

  @Test
  void goClient_keepsAllLaws() throws Exception {
    Path source = Path.of("src/test/go/conformance").toAbsolutePath();
    Tool.bring(List.of("go", "build", "-o", PROGRAM, "."), source);
    Tool.run(List.of("go", "vet", "."), source);

    KitRun.of(List.of(), List.of(PROGRAM)).assertPassed();
  }
}
