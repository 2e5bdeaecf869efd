package io.hdrsidecar.sidecar.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexInMemoryTest {
  private record Line(long offset, int length, long record, long start, long end) {}

  private static LineList linesOf(IndexInMemory index, String text) {
    return index.series().stream()
        .filter(each -> each.text().equals(text))
        .findFirst()
        .orElseThrow()
        .lines();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void forEach_randomLines_areThoseThatOverlap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    IndexInMemory index = new IndexInMemory();
    List<List<Line>> added = List.of(new ArrayList<>(), new ArrayList<>());
    long offset = 0;
    long record = random.nextLong(1L << 50);
    for (int i = 0; i < 2000; i++) {
      int length = random.nextInt(1, 5000);
      long start = random.nextInt(50) == 0 ? random.nextLong(1L << 47) : 1_000L * i;
      Line line =
          new Line(
              offset, length, record, start, start + random.nextInt(2) * random.nextLong(5000));
      int series = random.nextInt(2);
      added.get(series).add(line);
      index.add("s" + series, line.offset, length, line.record, line.start, line.end);
      offset += length + random.nextInt(3) * 1000L;
      record += random.nextInt(1, 4);
    }

    for (int series = 0; series < 2; series++) {
      for (int i = 0; i < 50; i++) {
        long from = random.nextLong(-10, 2_100_000);
        long to = from + random.nextLong(1, 1_000_000);
        List<Line> found = new ArrayList<>();
        LineList.Cursor line = linesOf(index, "s" + series).cursor();
        while (line.next()) {
          if (line.overlaps(from, to)) {
            found.add(
                new Line(
                    line.offset(),
                    line.length(),
                    line.record(),
                    line.startMillis(),
                    line.endMillis()));
          }
        }
        assertThat(found)
            .isEqualTo(
                added.get(series).stream()
                    .filter(
                        l ->
                            l.start < to && (l.end > from || (l.start == l.end && l.start >= from)))
                    .toList());
      }
    }
    assertThat(index.lines()).isEqualTo(2000);
    List<Line> all = added.stream().flatMap(List::stream).toList();
    assertThat(index.extent())
        .isEqualTo(
            new HistoryExtent(
                all.stream().mapToLong(Line::start).min().orElseThrow(),
                all.stream().mapToLong(Line::end).max().orElseThrow()));
  }

  @Test
  void records_withGaps_areKnownOneByOne() {
    IndexInMemory index = new IndexInMemory();
    index.add("s", 0, 10, 5, 0, 1);
    index.addRecord(6);
    index.add("s", 10, 10, 7, 1, 2);
    index.addRecord(9);

    assertThat(index.records().containsAll(5, 7)).isTrue();
    assertThat(index.records().containsAll(5, 9)).isFalse();
    assertThat(index.records().contains(8)).isFalse();
    assertThat(index.lastRecord()).isEqualTo(9);
    assertThat(index.records()).hasToString("[5..7, 9..9]");
  }

  @Test
  void bytes_intervalsOfOneSecond_areFewForEach() {
    IndexInMemory index = new IndexInMemory();
    for (int i = 0; i < 100_000; i++) {
      long second = 1_700_000_000_000L + i / 100 * 1000L;
      index.add("s" + i % 100, 700L * i, 690 + i % 20, i + 1, second, second + 1000);
    }
    long bytes = index.series().stream().mapToLong(each -> each.lines().capacity()).sum();
    assertThat(bytes / 100_000.0).isLessThan(14);
  }
}
