package io.hdrsidecar.benchmarks.peers.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TruthTest {
  private static final int TABLE = 97;

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "50, 7, 3", "1000, 1, 0", "12345, 10, 9", "12345, 100, 0"})
  void value_anyQuantile_isThatOfTheSortedList(long events, int seriesCount, int series) {
    SplittableRandom random = new SplittableRandom(events);
    long[] table = random.longs(TABLE, 1, 60).toArray(); // some values more than once
    List<Long> sorted = new ArrayList<>();
    for (long k = 0; k < events; k++) {
      if (k % seriesCount == series) {
        sorted.add(table[(int) (k % TABLE)]);
      }
    }
    Collections.sort(sorted);

    Truth truth = new Truth(table, events, seriesCount, series);

    assertThat(truth.count()).isEqualTo(sorted.size());
    for (int rank = 1; rank <= sorted.size(); rank++) {
      assertThat(truth.value((double) rank / sorted.size()))
          .as("rank %d", rank)
          .isEqualTo(sorted.get(rank - 1));
    }
  }
}
