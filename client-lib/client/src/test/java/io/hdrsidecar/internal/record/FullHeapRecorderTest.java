package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullHeapRecorderTest {
  @Test
  void recordAndHarvest_withoutMemory_throwNothingAndCountWhatIsLost()
      throws IOException, InterruptedException {
    JavaProgram.Ended ended = JavaProgram.run(List.of("-Xmx32m"), FullHeapRecorder.class);

    assertThat(ended.exitCode()).as(ended.output()).isZero();
    long sum = 1 + 2 + 1;
    for (int i = 0; i < FullHeapRecorder.KEPT_VALUES; i++) {
      sum += FullHeapRecorder.value(i);
    }
    assertThat(ended.output())
        .contains(
            "lost=%d movedWithoutRoom=0 moved=%d sum=%d max=%d"
                .formatted(
                    FullHeapRecorder.VALUES - FullHeapRecorder.KEPT_VALUES,
                    1 + 2 + 1 + FullHeapRecorder.KEPT_VALUES,
                    sum,
                    FullHeapRecorder.value(FullHeapRecorder.KEPT_VALUES - 1)));
  }
}
