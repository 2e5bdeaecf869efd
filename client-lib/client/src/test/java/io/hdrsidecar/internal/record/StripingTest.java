package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripingTest {
  @ParameterizedTest
  @CsvSource({
    "0,1,1,1",
    "1,0,1,1",
    "1,3,1,1",
    "3,4,1,1",
    "8,4,1,1",
    "1,64,1,1",
    "1,4,0,1",
    "1,-2147483648,1,1",
    "1,4,1,0",
    "1,4,1,3"
  })
  void constructor_settingOutOfRange_isRefused(int initial, int most, long hot, int owners) {
    assertThatThrownBy(() -> new Striping(initial, most, hot, owners))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void forThisMachine_startsWithOneAndGrowsBeyondTheProcessors() {
    Striping striping = Striping.forThisMachine();

    assertThat(striping.initialStripes()).isEqualTo(1);
    assertThat(striping.maxStripes())
        .isGreaterThanOrEqualTo(Math.min(32, 2 * Runtime.getRuntime().availableProcessors()));
  }
}
