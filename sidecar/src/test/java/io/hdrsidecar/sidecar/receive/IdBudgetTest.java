package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import org.junit.jupiter.api.Test;

/** Series ids take their bytes of the heap, however many may be configured. */
class IdBudgetTest {
  private static final int MANY = 2_000_000;
  private static final long ID_BYTES = 152;

  /** 5,518 ids of 152 bytes. */
  private final HeapShare share =
      HeapBudget.of(64L << 20).share(HeapBudget.Use.INGEST).atMost(838_860);

  private final IdBudget budget = new IdBudget(share, MANY);

  private int takeAll(int first) {
    int ids = first;
    while (budget.take(ids, ID_BYTES)) {
      ids++;
    }
    return ids;
  }

  @Test
  void take_oneConnection_getsHalfOfTheBytes() {
    int ids = takeAll(0);

    assertThat(ids).isEqualTo(5_518 / 2);
    assertThat(share.heldBytes()).isEqualTo(ids * ID_BYTES);
  }

  @Test
  void take_oneHasAllItCanGet_othersGetTheirFirst() {
    takeAll(0);
    int ids = 0;
    while (ids < IdBudget.RESERVED_IDS && budget.take(ids, ID_BYTES)) {
      ids++;
    }

    assertThat(ids).isEqualTo(IdBudget.RESERVED_IDS);
  }

  @Test
  void take_manyConnectionsWithFewEach_neverPassTheBytes() {
    int all = 0;
    for (int connection = 0; connection < 1_000; connection++) {
      for (int ids = 0; ids < 100 && budget.take(ids, ID_BYTES); ids++) {
        all++;
      }
    }

    assertThat(all).isEqualTo(5_518);
    assertThat(share.heldBytes()).isLessThanOrEqualTo(share.maxBytes());
  }

  @Test
  void take_aLowerLimitThanTheBytes_counts() {
    IdBudget few = new IdBudget(share, 10);
    int ids = 0;
    while (few.take(ids, ID_BYTES)) {
      ids++;
    }

    assertThat(ids).isEqualTo(IdBudget.RESERVED_IDS + 10);
  }

  @Test
  void giveAll_andGive_makeRoomAgain() {
    int ids = takeAll(0);
    budget.give(ids, ID_BYTES);
    assertThat(budget.beyond()).isEqualTo(ids - IdBudget.RESERVED_IDS - 1);
    assertThat(budget.take(ids - 1, ID_BYTES)).isTrue();

    budget.giveAll(ids, ids * ID_BYTES);

    assertThat(budget.beyond()).isZero();
    assertThat(share.heldBytes()).isZero();
  }
}
