package io.hdrsidecar.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostTest {
  @Test
  void withoutBuild_versionsOfKernels_areTheNumbersAlone() {
    assertThat(Host.withoutBuild("5.10.0-28-amd64")).isEqualTo("5.10.0");
    assertThat(Host.withoutBuild("6.18.44+deb13")).isEqualTo("6.18.44");
    assertThat(Host.withoutBuild("15.5")).isEqualTo("15.5");
  }
}
