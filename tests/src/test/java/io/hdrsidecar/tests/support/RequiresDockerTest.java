package io.hdrsidecar.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RequiresDockerTest {
  @Test
  void evaluate_withAnEngine_runs() {
    assertThat(RequiresDocker.Condition.evaluate(true, true).isDisabled()).isFalse();
    assertThat(RequiresDocker.Condition.evaluate(true, false).isDisabled()).isFalse();
  }

  @Test
  void evaluate_withoutAnEngine_skipsAndSaysSo() {
    var result = RequiresDocker.Condition.evaluate(false, false);

    assertThat(result.isDisabled()).isTrue();
    assertThat(result.getReason()).hasValue("no Docker engine answers");
  }

  @Test
  void evaluate_withoutAnEngineWhereItIsRequired_fails() {
    assertThatThrownBy(() -> RequiresDocker.Condition.evaluate(false, true))
        .hasMessageContaining("HDR_SIDECAR_REQUIRE_REAL_PARTS=true");
  }
}
