package io.hdrsidecar.fleet.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of nodes as bytes, also such as no node sends. */
class PeerAnswerTest {
  private static final NeededSeries ALL =
      NeededSeries.of(List.of(SeriesFilter.ALL), NeededSeries.Counts.WINDOWS);

  private static byte[] answer() throws Exception {
    try (RoutedNode node = RoutedNode.of(1)) {
      node.count("latency", "/a", 3, 1_000, 2_000_000, 3_000_000_000L);
      node.count("latency", "/a", 2, 5_000);
      node.count("size", "/b", 3, 7);
      return node.tell(PeerQuery.bytes(ALL));
    }
  }

  private static QueryScope scope(HeapBudget heap) {
    return new QueryScope(
        new SeriesStore(MergeConfig.defaults()),
        1000,
        QueryLimits.defaults(),
        heap.share(HeapBudget.Use.QUERIES).claim());
  }

  private static int read(byte[] bytes, HeapBudget heap) throws QueryException {
    try (GatheredSeries told = new GatheredSeries(ALL, scope(heap))) {
      PeerAnswerHead.read("node", new ByteArrayInputStream(bytes), RoutedNode.PARTITIONS)
          .addTo(told);
      return told.store().livingSeries().size();
    }
  }

  @Test
  void read_whatANodeTells_hasItsSeries() throws Exception {
    assertThat(read(answer(), HeapBudget.of(256 << 20))).isEqualTo(2);
  }

  @Test
  void read_endsAnywhere_isMalformed() throws Exception {
    byte[] whole = answer();
    for (int length = 0; length < whole.length; length += 1 + length / 50) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(part, HeapBudget.of(256 << 20)))
          .as("%s bytes", length)
          .isInstanceOf(MalformedPeerException.class);
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void read_damaged_isReadOrMalformedOrTooMuch(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole = answer();
    for (int i = 0; i < 500; i++) {
      byte[] damaged = whole.clone();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        read(damaged, HeapBudget.of(64 << 20));
      } catch (MalformedPeerException | HeapFullException | QueryException e) {
        assertThat(e).as("as it should be").isNotNull();
      }
    }
  }
}
