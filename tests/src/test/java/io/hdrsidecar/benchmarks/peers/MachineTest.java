package io.hdrsidecar.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void line_outputWithItsFile_isLeftOut() {
    assertThat(Machine.line(List.of("--rates=1M", "--output=/some/file.md", "--rounds=3")))
        .isEqualTo("tests/benchmarks/peers --rates=1M --rounds=3");
    assertThat(Machine.line(List.of("--output", "/some/file.md", "--quick")))
        .isEqualTo("tests/benchmarks/peers --quick");
    assertThat(Machine.line(List.of("--quick", "--output", "/some/file.md")))
        .isEqualTo("tests/benchmarks/peers --quick");
  }

  @Test
  void line_noArguments_isTheCommandAlone() {
    assertThat(Machine.line(List.of())).isEqualTo("tests/benchmarks/peers");
  }
}
