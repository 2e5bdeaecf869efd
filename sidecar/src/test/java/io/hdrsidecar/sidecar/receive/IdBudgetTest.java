package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import org.junit.jupiter.api.Test;

/** Series ids take their bytes of the heap, however many may be configured. */
class IdBudgetTest {
  private static final int MANY = 2_000_000;

  /** 5,518 ids of 152 bytes. */
  private final HeapShare share =
      HeapBudget.of(64L << 20).share(HeapBudget.Use.INGEST).atMost(838_860);

  private final IdBudget budget = new IdBudget(share, MANY);

  private int takeAll(int first) {
    int ids = first;
    while (budget.take(ids)) {
      ids++;
    }
    return ids;
  }

  @Test
  void take_oneConnection_getsItsFirstAndHalfOfTheBytesBeyond() {
    int ids = takeAll(0);

    assertThat(ids).isEqualTo(IdBudget.RESERVED_IDS + 5_518 / 2);
    assertThat(budget.maxBeyond()).isEqualTo(5_518 / 2);
    assertThat(share.heldBytes()).isEqualTo(ids * IdBudget.ID_BYTES);
  }

  @Test
  void take_oneHasAllItCanGet_othersGetTheirFirst() {
    takeAll(0);
    int ids = 0;
    while (ids < IdBudget.RESERVED_IDS && budget.take(ids)) {
      ids++;
    }

    assertThat(ids).isEqualTo(IdBudget.RESERVED_IDS);
  }

  @Test
  void take_manyConnectionsWithFewEach_neverPassTheBytes() {
    int all = 0;
    for (int connection = 0; connection < 1_000; connection++) {
      for (int ids = 0; ids < 100 && budget.take(ids); ids++) {
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
    while (few.take(ids)) {
      ids++;
    }

    assertThat(ids).isEqualTo(IdBudget.RESERVED_IDS + 10);
  }

  @Test
  void giveAll_andGive_makeRoomAgain() {
    int ids = takeAll(0);
    budget.give(ids);
    assertThat(budget.beyond()).isEqualTo(ids - IdBudget.RESERVED_IDS - 1);
    assertThat(budget.take(ids - 1)).isTrue();

    budget.giveAll(ids);

    assertThat(budget.beyond()).isZero();
    assertThat(share.heldBytes()).isZero();
  }
}
