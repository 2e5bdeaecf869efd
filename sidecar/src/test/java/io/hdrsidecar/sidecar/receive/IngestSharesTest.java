package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections there is room for, as the pages about sizes say it. */
final class IngestSharesTest {
  /** Of docs/fleet-kubernetes.md; a gateway gives ingest 40 % of a heap of half its limit. */
  @ParameterizedTest
  @CsvSource({"512, 320", "1024, 670", "2048, 1360"})
  void connections_ofAGatewayByTls_haveRoom(long limitMebibytes, int sidecars) {
    HeapBudget heap = HeapBudget.of((limitMebibytes << 20) / 2, Map.of(Use.INGEST, 40));

    assertThat(room(heap, FrameRoom.TLS_CONNECTION_BYTES))
        .isBetween(sidecars, sidecars + sidecars / 20);
  }

  /** Of docs/upstream.md. */
  @ParameterizedTest
  @CsvSource({"760, true", "130, false"})
  void connections_of300PodsAboveASidecar_haveRoom(long heapMebibytes, boolean withTls) {
    HeapBudget heap = HeapBudget.of(heapMebibytes << 20);

    assertThat(room(heap, withTls ? FrameRoom.TLS_CONNECTION_BYTES : FrameRoom.CONNECTION_BYTES))
        .isBetween(300, 310);
  }

  private static int room(HeapBudget heap, long bytes) {
    FrameRoom room = new FrameRoom(IngestShares.of(heap.share(Use.INGEST), false));
    long said = room.roomFor(bytes);
    int connections = 0;
    while (room.tryConnect(bytes)) {
      connections++;
    }
    assertThat(said).isEqualTo(connections);
    assertThat(room.roomFor(bytes)).isZero();
    return connections;
  }
}
