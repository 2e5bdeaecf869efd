package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.support.RequiresPrograms;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The same with the clients of other languages: with 700 faults, each of them has some 300 of its
 * own process, of its connection and of the sidecar.
 */
@RequiresPrograms({"go", "node", "python3"})
final class LanguagesChaosIT {
  @Test
  void exposedCounts_afterRandomFaults_areThoseRecorded() throws Exception {
    ChaosTrial.of(300, List.of(ClientProgram.go(), ClientProgram.python(), ClientProgram.node()));
  }
}
