package io.hdrsidecar.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FaultScheduleTest {
  @Test
  void of_theSameSeed_givesTheSameFaults() {
    assertThat(FaultSchedule.of(7, 300, 2)).isEqualTo(FaultSchedule.of(7, 300, 2));
    assertThat(FaultSchedule.of(7, 300, 2)).isNotEqualTo(FaultSchedule.of(8, 300, 2));
  }

  @Test
  void of_300_hasEveryKindOnEveryTargetAndInOrder() {
    List<Fault> faults = FaultSchedule.of(7, 300, 2).faults();

    assertThat(faults).hasSize(300).isSortedAccordingTo(Comparator.comparing(Fault::atMillis));
    assertThat(faults).extracting(Fault::kind).contains(FaultKind.values());
    assertThat(faults)
        .extracting(Fault::lane)
        .containsOnly("sidecar", "client 0", "client 1", "wire 0", "wire 1");
    assertThat(faults)
        .allSatisfy(
            fault ->
                assertThat(fault.durationMillis())
                    .isBetween((long) fault.kind().minMillis(), (long) fault.kind().maxMillis()));
  }

  @Test
  void lanes_ofASchedule_holdEachFaultOnce() {
    FaultSchedule schedule = FaultSchedule.of(7, 300, 2);

    assertThat(schedule.lanes().values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(schedule.faults());
  }

  @Test
  void byKind_ofNothing_namesEveryKind() {
    assertThat(FaultSchedule.byKind(List.of()))
        .isEqualTo(
            "kill sidecar 0, stop sidecar 0, restart sidecar 0, fill sidecar 0, kill client 0,"
                + " stop client 0, restart client 0, cut 0, half-open 0, slow 0");
  }
}
