package io.hdrsidecar.sidecar.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullHeapWindowTest {
  @Test
  void add_withoutMemoryForItsStep_addsNothingThatWouldNeverLeave() throws Exception {
    JavaProgram.Ended ended = JavaProgram.run(List.of("-Xmx32m"), FullHeapWindow.class);

    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("refused=true held=2 2 1 left=0");
  }
}
