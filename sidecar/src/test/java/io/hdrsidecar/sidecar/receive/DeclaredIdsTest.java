package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What ids take of the heap, and that a map says the same of what they stand for. */
class DeclaredIdsTest {
  private static final int SERIES = 200;

  private final HeapShare whole = HeapBudget.of(48L << 20).share(HeapBudget.Use.INGEST);
  private final IngestShares shares = IngestShares.of(whole, true);
  private final IdBudget budget = new IdBudget(shares.ids(), 1 << 21);
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(SERIES, 1, 100_000, List.of(), 2048, Duration.ZERO));

  private Registration registration(int n) throws Exception {
    return store
        .register(definition("x", "n", Integer.toString(n)))
        .registration(FrameClient.LAYOUT);
  }

  @Test
  void declare_fiftyConnectionsWithAThousandLabelSetsEach_haveRoomInASmallHeap() throws Exception {
    for (int connection = 0; connection < 50; connection++) {
      DeclaredIds ids = new DeclaredIds(budget, Integer.MAX_VALUE);
      for (int id = 1; id <= 1000; id++) {
        assertThat(ids.tryDeclare(id, registration(connection * 1000 + id))).isTrue();
      }
    }
  }

  @Test
  void declare_nobodyHasRoomAnyMore_theFirstIdsOfAConnectionHave() throws Exception {
    assertThat(shares.ids().tryTake(shares.ids().maxBytes())).isTrue();
    DeclaredIds ids = new DeclaredIds(budget, Integer.MAX_VALUE);

    for (int id = 1; id <= 16; id++) {
      assertThat(ids.tryDeclare(id, registration(id))).isTrue();
    }

    assertThat(ids.tryDeclare(17, registration(17))).isFalse();
    assertThat(ids.size()).isEqualTo(16);
  }

  @Test
  void anyIds_areFoundAsInAMap_andGiveAllBack() throws Exception {
    DeclaredIds ids = new DeclaredIds(budget, Integer.MAX_VALUE);
    Map<Integer, Registration> expected = new HashMap<>();
    Random random = new Random(7);
    List<Integer> used = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int id = random.nextInt(4) == 0 ? random.nextInt() >>> 4 << 5 : random.nextInt(900);
      used.add(id);
      if (random.nextInt(3) == 0) {
        int gone = used.get(random.nextInt(used.size()));
        ids.remove(gone);
        expected.remove(gone);
      } else if (ids.tryDeclare(id, registration(id & 255))) {
        expected.put(id, registration(id & 255));
      } else {
        assertThat(expected).doesNotContainKey(id);
      }
      assertThat(ids.size()).isEqualTo(expected.size());
    }

    for (int id : used) {
      assertThat(ids.find(id)).isSameAs(expected.get(id));
    }
    ids.clear();
    assertThat(shares.ids().heldBytes()).isZero();
    assertThat(budget.beyond()).isZero();
  }
}
