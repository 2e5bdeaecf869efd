package io.hdrsidecar.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequiresProgramsTest {
  @Test
  void evaluate_oneMissing_isSkippedNamingIt() {
    var result = RequiresPrograms.Condition.evaluate(List.of("etcd"), false);

    assertThat(result.isDisabled()).isTrue();
    assertThat(result.getReason()).hasValue("not in the path: etcd");
  }

  @Test
  void evaluate_oneMissingAndNothingMayBeSkipped_fails() {
    assertThatThrownBy(() -> RequiresPrograms.Condition.evaluate(List.of("etcd"), true))
        .hasMessageContaining("etcd")
        .hasMessageContaining(RequiresDocker.REQUIRED);
  }

  @Test
  void evaluate_noneMissing_runs() {
    assertThat(RequiresPrograms.Condition.evaluate(List.of(), true).isDisabled()).isFalse();
  }
}
