package io.hdrsidecar.tests.chaos;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever happens to processes and connections, each value recorded is exposed once. */
final class ChaosIT {
  @Test
  void exposedCounts_afterRandomFaults_areThoseRecorded() throws Exception {
    ChaosTrial.of(300, List.of(ClientProgram.java("a"), ClientProgram.java("b")));
  }
}
