package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptHeaderTest {
  @Test
  void byWeight_putsTheGreatestFirstAndEqualOnesTogether() {
    assertThat(AcceptHeader.byWeight("a/a;q=0.1, b/b , c/c; Q=0.25;x=1, d/d;q=0.1,e/e;q=0.0"))
        .containsExactly("b/b", "c/c; Q=0.25;x=1", "a/a;q=0.1,d/d;q=0.1");
  }

  @Test
  void byWeight_malformedWeight_isTakenForNone() {
    assertThat(AcceptHeader.byWeight("a/a;q=0.5,b/b;q=x,c/c;q=-1"))
        .containsExactly("b/b;q=x,c/c;q=-1", "a/a;q=0.5");
    assertThat(AcceptHeader.byWeight(null)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain;version=0.0.4, true",
    "'a/b,*/*;q=0.1', true",
    "Text/*, true",
    "text/html, false"
  })
  void takesText_whenARangeDoes(String ranges, boolean expected) {
    assertThat(AcceptHeader.takesText(ranges)).isEqualTo(expected);
  }
}
