package io.hdrsidecar.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final String USAGE = "merge|scrape [--only \"WORDS\"] [--seconds N] [--quick]";

  @Test
  void new_knownOnes_haveTheirValuesOrTheOthers() {
    Arguments arguments = new Arguments(USAGE, "merge", "--only", "Unix  50", "--quick");

    assertThat(arguments.has("merge")).isTrue();
    assertThat(arguments.has("scrape")).isFalse();
    assertThat(arguments.has("--quick")).isTrue();
    assertThat(arguments.words("--only", "")).containsExactly("Unix", "50");
    assertThat(arguments.number("--seconds", 7)).isEqualTo(7);
    assertThat(arguments.without("--only")).isEqualTo(" merge --quick");
  }

  @Test
  void new_unknownOne_isRefusedByItsName() {
    assertThatThrownBy(() -> new Arguments(USAGE, "--quick", "--second", "5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown argument: --second");
    assertThatThrownBy(() -> new Arguments("[--quick]", "fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown argument: fast");
  }

  @Test
  void new_lastFlagWithoutItsValue_isRefused() {
    assertThatThrownBy(() -> new Arguments(USAGE, "--seconds"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--seconds needs a value");
  }
}
