package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NativeSchemaTest {
  @ParameterizedTest
  @CsvSource({
    // Schema 0: powers of two; bucket i holds (2^(i-1), 2^i].
    "0, 1.0, 0",
    "0, 1.0000001, 1",
    "0, 2.0, 1",
    "0, 0.5, -1",
    "0, 0.6, 0",
    // Schema -4: base 65536.
    "-4, 1.0, 0",
    "-4, 65536.0, 1",
    "-4, 65537.0, 2",
    "-4, 0.00001, -1",
    // Schema 3: base 2^(1/8).
    "3, 1.05, 1",
    "3, 1.09, 1",
    "3, 1.10, 2",
    "8, 1.0, 0",
    "8, 1.0027, 1"
  })
  void indexOf_aValue_isTheBucketOfTheSpecification(int schema, double value, int index) {
    assertThat(NativeSchema.indexOf(value, schema)).isEqualTo(index);
  }

  @ParameterizedTest
  @ValueSource(ints = {-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8})
  void indexOf_anyValue_liesBetweenTheBoundsOfItsBucket(int schema) {
    double base = Math.pow(2, Math.pow(2, -schema));
    SplittableRandom random = new SplittableRandom(schema + 100);
    for (int i = 0; i < 10_000; i++) {
      double value = Math.pow(2, random.nextDouble(-30, 30));
      int index = NativeSchema.indexOf(value, schema);
      assertThat(value).isLessThanOrEqualTo(Math.pow(base, index) * (1 + 1e-12));
      assertThat(value).isGreaterThan(Math.pow(base, index - 1) * (1 - 1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-4, -1, 0, 3, 5, 8})
  void upperBound_ofAnyBucket_isThatPowerOfTheBase(int schema) {
    double base = Math.pow(2, Math.pow(2, -schema));
    for (int index = -20; index <= 20; index++) {
      double bound = NativeSchema.upperBound(index, schema);
      assertThat(bound / Math.pow(base, index)).isCloseTo(1, within(1e-12));
      assertThat(NativeSchema.indexOf(bound, schema)).isEqualTo(index);
    }
  }

  @Test
  void coarsened_byOne_isTheIndexInTheCoarserSchema() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      double value = Math.pow(2, random.nextDouble(-30, 30));
      assertThat(NativeSchema.coarsened(NativeSchema.indexOf(value, 5), 2))
          .isEqualTo(NativeSchema.indexOf(value, 3));
    }
  }
}
