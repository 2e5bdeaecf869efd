package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.FleetMain;
import io.hdrsidecar.fleet.support.FleetTruth;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.support.RememberedLoad;
import io.hdrsidecar.fleet.support.SwitchedWay;
import io.hdrsidecar.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Gateways that are processes, and die as processes do. */
class GatewayProcessIT {
  private static final int PARTITIONS = 4;
  private static final Pattern READY = Pattern.compile("event=ready ingest=(\\S+)");

  /** How often one is killed; more for a longer run. */
  private static final int KILLS = Integer.getInteger("hdr.fleet.gateway.kills", 4);

  /** Not to be drained: the process, and where it listens. */
  private record Started(Process process, int port) implements AutoCloseable {
    static Started of(KafkaBroker broker, String prefix) throws IOException {
      Process process =
          JavaProgram.heedingSignals(
                  JavaProgram.builder(
                      List.of("-Xmx48m"),
                      FleetMain.class,
                      List.of(
                          "gateway",
                          "--kafka-bootstrap-servers=" + broker.bootstrap(),
                          "--kafka-topic-prefix=" + prefix,
                          "--kafka-partitions=" + PARTITIONS,
                          "--ingest-port=0",
                          "--http-port=0")))
              .start();
      BufferedReader output = process.inputReader();
      StringBuilder said = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        Matcher ready = READY.matcher(line);
        if (ready.find()) {
          Thread rest = new Thread(() -> output.lines().forEach(System.out::println));
          rest.setDaemon(true);
          rest.start();
          return new Started(process, URI.create(ready.group(1)).getPort());
        }
      }
      throw new AssertionError("gateway ended: " + said);
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void killed_clientGoesToAnother_everyValueCountsOnce() throws Exception {
    long seed = Long.getLong("hdr.fleet.gateway.seed", System.nanoTime());
    Random random = new Random(seed);
    System.out.println("-Dhdr.fleet.gateway.seed=" + seed);
    try (KafkaBroker broker = new KafkaBroker();
        SwitchedWay way = new SwitchedWay()) {
      broker.createTopics("hdr", PARTITIONS);
      Started serving = Started.of(broker, "hdr");
      way.leadTo(serving.port());
      try (RememberedLoad load = new RememberedLoad(way.port(), seed)) {
        for (int i = 0; i < KILLS; i++) {
          Started next = Started.of(broker, "hdr");
          Thread recording = new Thread(() -> load.record(20_000, 5_000));
          recording.start();
          LockSupport.parkNanos(random.nextInt(100_000_000));
          serving.kill();
          serving = next;
          way.leadTo(serving.port());
          recording.join();
        }
        load.delivered();
        assertEndsInOrder(serving);
        load.assertExact(FleetTruth.read(broker, "hdr.intervals", PARTITIONS));
      } finally {
        serving.close();
      }
    }
  }

  private static void assertEndsInOrder(Started gateway) throws InterruptedException {
    gateway.process().destroy(); // SIGTERM
    assertThat(gateway.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(gateway.process().exitValue()).isZero();
  }
}
