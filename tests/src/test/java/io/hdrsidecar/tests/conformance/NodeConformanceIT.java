package io.hdrsidecar.tests.conformance;

import io.hdrsidecar.tests.support.ClientCommands;
import io.hdrsidecar.tests.support.RequiresPrograms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Node client in front of the conformance kit. */
@RequiresPrograms("node")
final class NodeConformanceIT {
  @Test
  void nodeClient_keepsAllLaws() throws Exception {
    KitRun.of(List.of(), ClientCommands.node("conformance.mjs")).assertPassed();
  }
}
