package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientHealthStoreTest {
  private static final Map<String, Long> FIGURES = Map.of("reconnects_total", 3L);

  private final ReceiveCounters counters = new ReceiveCounters();
  private final InstanceId one = InstanceId.random();
  private final InstanceId two = InstanceId.random();
  private Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private final InstantSource time = () -> now;

  /** Room for one client, and not for two. */
  private final HeapShare share =
      HeapBudget.of(64L << 20).share(HeapBudget.Use.INGEST).atMost(4_000);

  private final ClientHealthStore store = new ClientHealthStore(10, share, time, counters);

  private void pass(Duration duration) {
    now = now.plus(duration);
    store.forgetOld();
  }

  @Test
  void put_unknownFigures_areDroppedAndCounted() {
    store.put(
        one, Labels.empty(), Map.of("reconnects_total", 3L, "reconnects", 4L, "instances", 5L));

    assertThat(store.clients())
        .singleElement()
        .extracting(ClientFigures::figures)
        .isEqualTo(FIGURES);
    assertThat(counters.unknownFigures()).isEqualTo(2);
  }

  @Test
  void put_noRoomForAnotherClient_isCounted() {
    store.connected(one, Labels.empty());
    store.connected(two, Labels.empty());
    assertThat(counters.healthDroppedFrames()).isZero();

    store.put(two, Labels.empty(), FIGURES);
    store.put(one, Labels.empty(), FIGURES);

    assertThat(counters.healthDroppedFrames()).isEqualTo(1);
    assertThat(store.clients()).extracting(ClientFigures::instance).containsExactly(one);
  }

  @Test
  void forgetOld_connectedClient_staysHoweverLongItIsSilent() {
    store.connected(one, Labels.empty());

    pass(Duration.ofDays(1));

    assertThat(store.clients()).singleElement().matches(ClientFigures::connected);
  }

  @Test
  void forgetOld_brokenConnection_isShownForSomeMinutes() {
    store.put(one, Labels.empty(), FIGURES);
    store.disconnected(one, /* saidGoodbye= */ false);

    pass(Duration.ofMinutes(4));
    assertThat(store.clients()).singleElement().matches(client -> !client.connected());

    pass(Duration.ofMinutes(2));
    assertThat(store.clients()).isEmpty();
  }

  @Test
  void forgetOld_afterGoodbye_isShownForOneMoreScrape() {
    store.put(one, Labels.empty(), FIGURES);
    store.disconnected(one, /* saidGoodbye= */ true);

    pass(Duration.ofSeconds(59));
    assertThat(store.clients()).hasSize(1);

    pass(Duration.ofSeconds(2));
    assertThat(store.clients()).isEmpty();
  }

  @Test
  void connected_again_keepsTheFigures() {
    store.put(one, Labels.empty(), FIGURES);
    store.disconnected(one, /* saidGoodbye= */ false);
    store.connected(one, Labels.empty());

    pass(Duration.ofMinutes(6));

    assertThat(store.clients()).singleElement().extracting("figures").isEqualTo(FIGURES);
  }

  @Test
  void forgetOld_whatIsForgotten_givesItsRoomBack() {
    store.put(one, Labels.of("a", "b"), FIGURES);
    store.disconnected(one, /* saidGoodbye= */ true);
    assertThat(share.heldBytes()).isPositive();

    pass(Duration.ofMinutes(2));

    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void disconnected_neverSaidAnything_isForgotten() {
    store.connected(one, Labels.empty());
    store.disconnected(one, /* saidGoodbye= */ false);

    assertThat(store.clients()).isEmpty();
  }
}
