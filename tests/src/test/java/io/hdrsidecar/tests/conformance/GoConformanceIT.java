package io.hdrsidecar.tests.conformance;

import io.hdrsidecar.tests.support.ClientCommands;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Go client in front of the conformance kit. */
@RequiresPrograms("go")
final class GoConformanceIT {
  @Test
  void goClient_keepsAllLaws() throws Exception {
    List<String> client = ClientCommands.go("conformance");
    Tool.run(List.of("go", "vet", "."), Path.of("src/test/go/conformance").toAbsolutePath());

    KitRun.of(List.of(), client).assertPassed();
  }
}
