package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.HashMap;
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

  private static ExportConfig config(String wire) {
    Map<String, String> texts =
        wire.equals("remote-write")
            ? Map.of(ExportConfig.REMOTE_WRITE_ADDRESS, "http://127.0.0.1:1")
            : Map.of(
                ExportConfig.OTLP_ADDRESS, "http://127.0.0.1:1", "export.otlp.temporality", wire);
    return SettingRecords.of(ExportConfig.class, texts, RunningExport.RESOURCE);
  }

  private static ExportWire wire(ExportConfig config, HeapShare share) {
    return config.isRemoteWrite()
        ? new RemoteWrite(config, share.claim())
        : new OtlpWire(config, "1", share.claim());
  }

  /** Wherever a request may break off, nothing is remembered of points that are not sent. */
  @ParameterizedTest
  @ValueSource(strings = {"cumulative", "delta", "remote-write"})
  void requestWithoutRoom_holdsNoMemoryOfItsPoints(String wire) throws Exception {
    SeriesStore store = RunningExport.store();
    for (int i = 0; i < 20; i++) {
      Recorded.merge(store, "a" + i + "x".repeat(190), 1, 1_000, 1_000_000);
    }
    ExportConfig config = config(wire);
    for (int room = 0; room < 8_000; room += 50) {
      HeapShare remembered = share(1 << 20);
      ExportStreams streams = new ExportStreams(store, remembered.claim(), new ExportCounters());
      RequestWriter writer =
          new RequestWriter(
              wire(config, share(room)), wire.equals("delta"), streams, REQUEST_BYTES);
      List<ExportStream> all = streams.round();
      long before = remembered.heldBytes();

      assertThatThrownBy(() -> writer.write(all, 0, NOW))
          .as("room for %s bytes", room)
          .isInstanceOf(HeapFullException.class);

      assertThat(remembered.heldBytes()).as("room for %s bytes", room).isEqualTo(before);
    }
  }

  /** Labels that all differ fill the table of symbols sooner than the request. */
  @ParameterizedTest
  @ValueSource(ints = {4 << 10, 64 << 10})
  void remoteWrite_ofManySymbols_staysInItsShare(int maxBytes) throws Exception {
    SeriesStore store = RunningExport.store();
    for (int i = 0; i < 400; i++) {
      Map<String, String> labels = new HashMap<>();
      for (int j = 0; j < 30; j++) {
        labels.put("l" + j, Integer.toString(30 * i + j, 36));
      }
      Recorded.merge(store, new SeriesKey("a", Labels.of(labels)), Unit.NONE, 1);
    }
    HeapShare share = share(8L * maxBytes);
    ExportStreams streams = new ExportStreams(store, share(1 << 20).claim(), new ExportCounters());
    RequestWriter writer =
        new RequestWriter(wire(config("remote-write"), share), false, streams, maxBytes);
    List<ExportStream> all = streams.round();

    int requests = 0;
    for (int from = 0; from < all.size(); requests++) {
      from = writer.write(all, from, NOW).next();
    }

    assertThat(requests).isGreaterThan(1);
    assertThat(share.mostHeldBytes()).isLessThan(6L * maxBytes); // The rest is for the packed one.
  }
}
