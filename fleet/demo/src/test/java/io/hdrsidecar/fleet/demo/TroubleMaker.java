package io.hdrsidecar.fleet.demo;

import static io.hdrsidecar.fleet.demo.TroubledFleet.PATIENCE_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.demo.TroubledFleet.Lane;
import io.hdrsidecar.fleet.demo.TroubledFleet.Member;
import io.hdrsidecar.fleet.support.SwitchedWay;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Lets things happen to a fleet, to whom and for how long as a seed has it. They come one after the
 * other, and what they set going overlaps: a program is waited for when it is its turn again.
 */
final class TroubleMaker {
  private static final int LONGEST_PAUSE_MILLIS = 800;
  private static final int LONGEST_PART_MILLIS = 2_000;

  /** Longer than a node may say nothing. */
  private static final int SESSION_MILLIS = 12_000;

  private static final String LATE = "/late";
  private static final int LATE_VALUES = 200;
  private static final int SELDOM = 4;

  private final TroubledFleet fleet;
  private final Random random;

  TroubleMaker(TroubledFleet fleet, long seed) {
    this.fleet = fleet;
    this.random = new Random(seed);
  }

  /** Lets it happen, and says to whom. */
  String apply(FleetTrouble trouble) throws Exception {
    String what =
        switch (trouble) {
          case KILL_GATEWAY -> killGateway(random.nextInt(fleet.gateways().size()));
          case KILL_NODE -> killNode(any(fleet.running()));
          case KILL_BROKER -> kill(fleet.broker());
          case KILL_SIDECAR -> kill(any(fleet.lanes()).sidecar());
          case PART_SIDECAR -> partSidecar(any(fleet.lanes()));
          case PART_GATEWAY -> part(any(fleet.gateways()), LONGEST_PART_MILLIS);
          case PART_NODE -> partNode();
          case REBALANCE -> rebalance();
          case LATE -> late(any(fleet.lanes()));
          case DUPLICATES -> duplicates();
        };
    pause(random.nextInt(LONGEST_PAUSE_MILLIS));
    for (Supervised each : fleet.all()) {
      each.lookAfter();
    }
    return what;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static String kill(Supervised program) throws FleetException {
    program.kill();
    program.start();
    return program.name();
  }

  private String killGateway(int i) throws FleetException {
    boolean isLeft = random.nextBoolean();
    Supervised gateway = fleet.gateways().get(i).program();
    gateway.kill();
    if (isLeft) {
      int other = fleet.gatewayPorts().get((i + 1) % fleet.gatewayPorts().size());
      fleet.lanes().forEach(lane -> lane.way().leadTo(other));
    }
    fleet.broker().awaitReady(); // It looks at the topics first, and waits long for that.
    gateway.start();
    return gateway.name() + (isLeft ? ", sidecars go to the other" : "");
  }

  private String killNode(Supervised node) throws Exception {
    boolean isWiped = random.nextInt(SELDOM) == 0;
    node.kill();
    if (isWiped) {
      fleet.wipe(node);
    }
    fleet.broker().awaitReady();
    node.start();
    return node.name() + (isWiped ? ", its folder is gone" : "");
  }

  private String partSidecar(Lane lane) throws Exception {
    for (Member gateway : fleet.gateways()) {
      gateway.program().awaitReady();
    }
    lane.sidecar().awaitReady();
    int gateway = random.nextInt(fleet.gateways().size());
    String how =
        part(lane.way(), fleet.gatewayPorts().get(gateway), random.nextInt(LONGEST_PART_MILLIS));
    return lane.sidecar().name() + how + ", then to gateway-" + gateway;
  }

  private String partNode() throws Exception {
    Supervised node = any(fleet.running());
    Member member =
        fleet.nodes().stream().filter(m -> m.program() == node).findFirst().orElseThrow();
    if (random.nextInt(SELDOM) > 0) {
      return part(member, LONGEST_PART_MILLIS);
    }
    fleet.broker().awaitReady();
    node.awaitReady();
    return node.name() + part(member.way(), member.brokerPort(), SESSION_MILLIS);
  }

  private String part(Member member, int mostMillis) throws Exception {
    fleet.broker().awaitReady();
    member.program().awaitReady();
    return member.program().name()
        + part(member.way(), member.brokerPort(), random.nextInt(mostMillis));
  }

  /** Ends connections, or lets them hang and then loses what was in them. */
  private String part(SwitchedWay way, int target, int millis) throws Exception {
    Eventually.holds("connections to part", PATIENCE_SECONDS, () -> way.connections() > 0);
    int connections = way.connections();
    boolean isSilent = random.nextBoolean();
    if (isSilent) {
      way.hold();
    } else {
      way.leadNowhere();
    }
    pause(millis);
    way.leadTo(target);
    way.release();
    return (isSilent ? ", hung " : ", cut ") + connections + " connections for " + millis + " ms";
  }

  private String rebalance() throws Exception {
    fleet.broker().awaitReady();
    int before = fleet.running().size();
    int after =
        IntStream.rangeClosed(1, fleet.nodes().size())
            .filter(n -> n != before)
            .toArray()[random.nextInt(fleet.nodes().size() - 1)];
    for (Member node : fleet.nodes()) {
      if (!node.program().isWanted() && fleet.running().size() < after) {
        node.program().start();
      }
    }
    while (fleet.running().size() > after) {
      any(fleet.running()).end();
    }
    Eventually.holds("partitions at " + after + " nodes", PATIENCE_SECONDS, fleet::areSpread);
    return before + " -> " + after + " nodes";
  }

  /** Its clock is wrong, but all of it counts. */
  private String late(Lane lane) throws Exception {
    Duration late = Duration.ofMinutes(60 + random.nextInt(10));
    try (RecordingClient client =
        new RecordingClient(
            RecordingClient.config(lane.port())
                .interval(Duration.ofMillis(20))
                .clock(Clock.offset(Clock.systemUTC(), late.negated()))
                .build(),
            List.of(LATE),
            1,
            random.nextLong())) {
      for (int i = 0; i < LATE_VALUES; i++) {
        client.recordToEach();
        pause(1);
      }
      Eventually.holds(
          () -> "late values acknowledged: " + client.health(),
          PATIENCE_SECONDS,
          client::isDelivered);
      client.addTo(
          fleet
              .late()
              .computeIfAbsent(
                  DemoProcesses.series(lane.deployment(), LATE), none -> new RawTruth()),
          LATE);
    }
    return LATE_VALUES
        + " values of "
        + late.toMinutes()
        + " minutes ago, "
        + lane.sidecar().name();
  }

  private String duplicates() throws Exception {
    fleet.broker().awaitReady();
    int again = fleet.topic().produceAgain(random);
    assertThat(again).as("records produced again").isPositive();
    return again + " records";
  }
}
