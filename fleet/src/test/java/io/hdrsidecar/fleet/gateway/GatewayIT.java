package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.support.FleetTruth;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.support.RememberedLoad;
import io.hdrsidecar.fleet.support.SwitchedWay;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients, gateways and a broker, all real; every value is counted once, in its bucket. */
class GatewayIT {
  private static final int PARTITIONS = 4;
  private static final int SERIES = RememberedLoad.SERIES;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static KafkaBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = new KafkaBroker();
  }

  @BeforeEach
  void lead() {
    broker.lead();
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  private static void assertExact(String prefix, RememberedLoad load) throws Exception {
    load.assertExact(FleetTruth.read(broker, prefix + ".intervals", PARTITIONS));
  }

  @Test
  void brokerAway_nothingIsAcknowledgedAndNothingIsLost() throws Exception {
    broker.createTopics("away", PARTITIONS);
    try (RunningGateway gateway = new RunningGateway(broker, "away", PARTITIONS);
        RememberedLoad load = new RememberedLoad(gateway.port(), 1)) {
      load.record(10_000);
      RunningGateway.eventually(() -> load.health().acknowledgedValues() == 10_000);
      assertThat(gateway.get("/-/ready").statusCode()).isEqualTo(200);

      broker.cut();
      load.record(10_000);
      RunningGateway.eventually(
          () -> gateway.metric("hdr_sidecar_gateway_waiting_intervals") >= SERIES);
      RunningGateway.eventually(() -> gateway.get("/-/ready").statusCode() == 503);
      assertThat(gateway.get("/-/ready").body()).contains("Kafka has not acknowledged for");
      assertThat(load.health().acknowledgedValues()).isEqualTo(10_000);
      assertThat(load.health().connected()).isTrue();

      broker.lead();
      load.record(10_000);
      broker.restart();
      load.record(10_000);
      load.delivered();
      RunningGateway.eventually(() -> gateway.get("/-/ready").statusCode() == 200);
      assertThat(gateway.metric("hdr_sidecar_gateway_acknowledged_intervals_total"))
          .isEqualTo(gateway.metric("hdr_sidecar_gateway_intervals_total"));
      assertThat(gateway.metric("hdr_sidecar_heap_share_held_bytes{use=\"upstream\"}")).isZero();
      assertExact("away", load);
    }
  }

  /** Both live, and a client goes from one to the other with intervals under way in both. */
  @Test
  void twoGateways_clientChangesBetweenThem_countsOnce() throws Exception {
    broker.createTopics("two", PARTITIONS);
    Random random = new Random(2);
    try (RunningGateway one = new RunningGateway(broker, "two", PARTITIONS);
        RunningGateway other =
            new RunningGateway(
                broker, "two", PARTITIONS, "--ingest-resource-labels=namespace,deployment,zone");
        SwitchedWay way = new SwitchedWay()) {
      way.leadTo(one.port());
      try (RememberedLoad load = new RememberedLoad(way.port(), 3)) {
        for (int i = 0; i < 40; i++) {
          load.record(2_000);
          LockSupport.parkNanos(random.nextInt(40_000_000));
          if (i % 10 == 9) {
            broker.cut(); // What is under way in one of them arrives after what the other takes.
          }
          way.leadTo(i % 2 == 0 ? other.port() : one.port());
          if (i % 10 == 9) {
            LockSupport.parkNanos(random.nextInt(300_000_000));
            broker.lead();
          }
        }
        load.delivered();
        assertThat(load.health().resentIntervals()).isPositive();
        assertExact("two", load);
      }
    }
  }

  /** What Kafka refuses for good ends connections, and is sent again once it is taken. */
  @Test
  void recordTooLargeForTheTopic_isNamedAndSentAgainWhenThereIsRoom() throws Exception {
    broker.createTopics("large", PARTITIONS);
    try (RunningGateway gateway = new RunningGateway(broker, "large", PARTITIONS);
        RememberedLoad load = new RememberedLoad(gateway.port(), 4)) {
      load.record(10_000);
      RunningGateway.eventually(() -> load.health().acknowledgedValues() == 10_000);

      broker.setTopic("large.intervals", "max.message.bytes", "200");
      load.record(10_000);
      RunningGateway.eventually(
          () -> gateway.metric("hdr_sidecar_gateway_produce_failures_total") >= 1);
      RunningGateway.eventually(() -> gateway.get("/-/ready").statusCode() == 503);
      assertThat(gateway.metric("hdr_sidecar_gateway_producing")).isZero();
      load.record(10_000);

      broker.setTopic("large.intervals", "max.message.bytes", "1048588");
      load.delivered();
      assertThat(load.health().reconnects()).isPositive();
      assertThat(gateway.get("/-/ready").statusCode()).isEqualTo(200);
      assertExact("large", load);
    }
  }

  /** A sidecar hands on; where it runs becomes part of the key, as far as that is kept. */
  @Test
  void sidecarBelow_keepsWhatIsConfiguredOfItsPlace() throws Exception {
    broker.createTopics("below", PARTITIONS);
    try (RunningGateway gateway =
        new RunningGateway(broker, "below", PARTITIONS, "--ingest-resource-labels=zone")) {
      Map<String, String> flags =
          Map.of(
              "--ingest-port", "0",
              "--http-port", "0",
              "--upstream-address", "tcp://127.0.0.1:" + gateway.port(),
              "--upstream-interval", "1s",
              "--upstream-resource-pod", "shop-1",
              "--upstream-resource-zone", "east",
              "--self-hiccups", "false");
      try (Sidecar sidecar = Sidecar.start(ConfigLoader.load(flags, Map.of(), null));
          RememberedLoad load = new RememberedLoad(port(sidecar), 5)) {
        load.record(20_000);
        load.delivered();
        RunningGateway.eventually(
            () -> gateway.metric("hdr_sidecar_gateway_values_total") == 20_000);
        sidecar.drain();
        FleetTruth truth = FleetTruth.read(broker, "below.intervals", PARTITIONS);
        load.assertExact(truth);
        assertThat(truth.counts().keySet())
            .hasSize(SERIES)
            .allMatch(series -> series.unit() == Unit.NANOSECONDS)
            .extracting(FleetSeries::key)
            .allMatch(key -> key.labels().asMap().keySet().equals(Set.of("route", "zone")));
      }
    }
  }

  /**
   * A rolling update that keeps other labels of the place apart. Which of the gateways keeps an
   * interval is as it happens; that it counts once is not.
   */
  @Test
  void sidecarBelow_changesBetweenGatewaysThatKeepOtherLabels_countsOnce() throws Exception {
    broker.createTopics("roll", PARTITIONS);
    Random random = new Random(7);
    try (RunningGateway one =
            new RunningGateway(broker, "roll", PARTITIONS, "--ingest-resource-labels=zone");
        RunningGateway other =
            new RunningGateway(broker, "roll", PARTITIONS, "--ingest-resource-labels=zone,pod");
        SwitchedWay way = new SwitchedWay()) {
      way.leadTo(one.port());
      Map<String, String> flags =
          Map.of(
              "--ingest-port", "0",
              "--http-port", "0",
              "--upstream-address", "tcp://127.0.0.1:" + way.port(),
              "--upstream-interval", "100ms",
              "--upstream-resource-pod", "shop-1",
              "--upstream-resource-zone", "east",
              "--self-hiccups", "false");
      try (Sidecar sidecar = Sidecar.start(ConfigLoader.load(flags, Map.of(), null));
          RememberedLoad load = new RememberedLoad(port(sidecar), 8)) {
        for (int i = 0; i < 10; i++) {
          load.record(2_000);
          LockSupport.parkNanos(random.nextInt(60_000_000));
          if (i % 5 == 4) {
            broker.cut(); // What is under way in one of them arrives after what the other takes.
          }
          RunningGateway next = i % 2 == 0 ? other : one;
          double before = next.metric("hdr_sidecar_gateway_intervals_total");
          way.leadTo(next.port());
          if (i % 5 == 4) {
            LockSupport.parkNanos(random.nextInt(300_000_000));
            broker.lead();
          }
          load.record(2_000);
          RunningGateway.eventually(
              () -> next.metric("hdr_sidecar_gateway_intervals_total") > before);
          if (i % 3 == 1) { // Otherwise nothing would be acknowledged, and each wait be longer.
            RunningGateway.eventually(
                () ->
                    RunningGateway.metric(
                            sidecar.httpAddress(), "hdr_sidecar_upstream_waiting_values")
                        == 0);
          }
        }
        load.delivered();
        sidecar.drain();
        FleetTruth truth = FleetTruth.read(broker, "roll.intervals", PARTITIONS);
        load.assertExact(truth);
        assertThat(truth.counts().keySet())
            .extracting(series -> series.key().labels().asMap().keySet())
            .contains(Set.of("route", "zone"), Set.of("route", "zone", "pod"));
      }
    }
  }

  private static int port(Sidecar sidecar) {
    return Integer.parseInt(sidecar.ingestAddress().replaceAll(".*:", ""));
  }

  @Test
  void drain_waitsForKafka_andTakesNothingMore() throws Exception {
    broker.createTopics("drain", PARTITIONS);
    RunningGateway gateway = new RunningGateway(broker, "drain", PARTITIONS, "--drain=30s");
    try (RememberedLoad load = new RememberedLoad(gateway.port(), 6)) {
      broker.cut();
      load.record(10_000);
      RunningGateway.eventually(
          () -> gateway.metric("hdr_sidecar_gateway_waiting_intervals") >= SERIES);
      Thread draining = new Thread(gateway::drain);
      draining.start();
      RunningGateway.eventually(() -> gateway.get("/-/ready").statusCode() == 503);
      broker.lead();
      draining.join(PATIENCE.toMillis());
      assertThat(draining.isAlive()).isFalse();
      assertThat(load.health().acknowledgedValues()).isEqualTo(10_000);
    } finally {
      gateway.close();
    }
  }
}
