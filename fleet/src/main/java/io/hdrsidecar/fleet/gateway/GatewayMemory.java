package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.receive.ReceiveMemory;
import java.util.Map;

/**
 * The heap of a gateway: connections and their frames, series, records that wait for Kafka, and
 * Kafka's own buffers. A fifth is left for what nobody takes from a budget.
 */
final class GatewayMemory {
  private static final Map<Use, Integer> PERCENTS =
      Map.of(Use.INGEST, 40, Use.HTTP, 5, Use.UPSTREAM, 20);
  private static final int PRODUCER_PERCENT = 15;

  /** Parts of ingest, of 16: here no instances are remembered, which have so much there. */
  private static final int KEY_PARTS = 2;

  private static final int PARTS = 16;

  private final HeapBudget heap;

  private GatewayMemory(HeapBudget heap) {
    this.heap = heap;
  }

  static GatewayMemory ofThisProcess() {
    return of(Runtime.getRuntime().maxMemory());
  }

  static GatewayMemory of(long heapBytes) {
    return new GatewayMemory(HeapBudget.of(heapBytes, PERCENTS));
  }

  HeapBudget heap() {
    return heap;
  }

  /** For the series that ids lead to. */
  HeapShare keys() {
    HeapShare ingest = heap.share(Use.INGEST);
    return ingest.atMost(ingest.maxBytes() / PARTS * KEY_PARTS);
  }

  /** For records that Kafka has not acknowledged. */
  HeapShare records() {
    return heap.share(Use.UPSTREAM);
  }

  /** For the buffers of Kafka's producer. */
  long producerBytes() {
    return HeapBudget.percentOf(PRODUCER_PERCENT, heap.heapBytes());
  }

  /** The longest body of a frame for which there is room everywhere. */
  long longestBody() {
    return Math.min(
        ReceiveMemory.longestBody(heap), ProducedLog.longestValue(records().maxBytes()));
  }
}
