package io.hdrsidecar.sidecar.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Against sets of numbers. */
class RecordRangesTest {
  private static RecordRanges ranges(SortedSet<Long> numbers) {
    RecordRanges ranges = new RecordRanges();
    numbers.forEach(each -> ranges.add(each, each));
    return ranges;
  }

  @Test
  void of_anyTwoSets_hasWhatIsInEither() {
    Random random = new Random(7);
    for (int turn = 0; turn < 500; turn++) {
      TreeSet<Long> one = new TreeSet<>();
      TreeSet<Long> other = new TreeSet<>();
      for (long number = 1; number < 40; number++) {
        if (random.nextInt(3) > 0) {
          one.add(number);
        }
        if (random.nextInt(5) == 0) {
          other.add(number);
        }
      }
      TreeSet<Long> either = new TreeSet<>(one);
      either.addAll(other);

      RecordRanges both = RecordRanges.of(ranges(one), ranges(other));

      assertThat(both).hasToString(ranges(either).toString());
      for (long number = 0; number < 41; number++) {
        assertThat(both.contains(number)).isEqualTo(either.contains(number));
      }
    }
  }
}
