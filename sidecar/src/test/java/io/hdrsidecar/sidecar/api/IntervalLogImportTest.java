package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.api.IntervalLogImport.Refused;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of lines that are too long for the heap, or for any. */
class IntervalLogImportTest {
  private static final int LINE_BYTES = 1_600_000;

  private static List<Refused> refused(long heapBytes) throws Exception {
    byte[] log = ("# comment\n" + "x".repeat(LINE_BYTES) + "\n").getBytes(StandardCharsets.UTF_8);
    ImportTarget target = new ImportTarget(new SeriesKey("x", Labels.empty()), Unit.NANOSECONDS);
    try (IntervalLogImport running =
        new IntervalLogImport(
            new SeriesStore(MergeConfig.defaults()),
            target,
            new ByteArrayInputStream(log),
            heapBytes)) {
      assertThat(running.readSlice()).isFalse();
      return running.refused();
    }
  }

  @Test
  void readSlice_ofALineThatIsTooLong_saysHowLongItIsAndWhatToDo() throws Exception {
    assertThat(refused(64 << 20))
        .containsExactly(
            new Refused(
                2,
                "line_too_long",
                "the line has 1600000 bytes, at most 1572864 can be read; record with fewer"
                    + " significant digits, or look at it with `log explore`"));
  }

  @Test
  void readSlice_withLittleHeap_saysThatMoreWouldHelp() throws Exception {
    assertThat(refused(4 << 20))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.message())
                    .startsWith("the line has 1600000 bytes, at most ")
                    .endsWith("; a larger heap of the sidecar reads up to 1572864"));
  }
}
