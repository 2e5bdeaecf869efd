package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestWriterTest {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final int REQUEST_BYTES = 1 << 20;

  private static HeapShare share(long bytes) {
    return HeapBudget.of(8L << 30).share(Use.SCRAPES).atMost(bytes);
  }

  /** Wherever a request may break off, nothing is remembered of points that are not sent. */
  @ParameterizedTest
  @ValueSource(strings = {"cumulative", "delta"})
  void requestWithoutRoom_holdsNoMemoryOfItsPoints(String temporality) throws Exception {
    SeriesStore store = RunningExport.store();
    for (int i = 0; i < 20; i++) {
      Recorded.merge(store, "a" + i + "x".repeat(190), 1, 1_000, 1_000_000);
    }
    ExportConfig config =
        SettingRecords.of(
            ExportConfig.class,
            Map.of(
                ExportConfig.ADDRESS, "http://127.0.0.1:1", "export.otlp.temporality", temporality),
            RunningExport.RESOURCE);
    for (int room = 0; room < 8_000; room += 50) {
      HeapShare remembered = share(1 << 20);
      ExportStreams streams = new ExportStreams(store, remembered.claim(), new ExportCounters());
      ExportWire wire = new OtlpWire(config, "1", share(room).claim());
      RequestWriter writer =
          new RequestWriter(wire, temporality.equals("delta"), streams, REQUEST_BYTES);
      List<ExportStream> all = streams.round();
      long before = remembered.heldBytes();

      assertThatThrownBy(() -> writer.write(all, 0, NOW))
          .as("room for %s bytes", room)
          .isInstanceOf(HeapFullException.class);

      assertThat(remembered.heldBytes()).as("room for %s bytes", room).isEqualTo(before);
    }
  }
}
