package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullHeapCountsTest {
  @Test
  void add_withoutMemoryForOneOfItsPages_addsNothingToTheOthers()
      throws IOException, InterruptedException {
    JavaProgram.Ended ended = JavaProgram.run(List.of("-Xmx32m"), FullHeapCounts.class);

    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("refused=2 8{3=5, 300=1, 20000=2}");
    assertThat(ended.output()).contains("then=1048593{3=12, 4=1, 300=1048577, 10000=1, 20000=2}");
  }
}
