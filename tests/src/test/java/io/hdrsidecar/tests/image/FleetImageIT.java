package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The image of the fleet, its two programs as {@code k8s/fleet-kafka} runs them: a user without a
 * name, nothing writable but {@code /tmp} and the volume of the stores. They share the network of
 * the machine, on which the broker is.
 */
@RequiresDocker
final class FleetImageIT {
  private static final long MOST_COMPRESSED_BYTES = 80_000_000;
  private static final int PARTITIONS = 2;
  private static final int VALUES = 10_000;

  @RegisterExtension final Processes processes = new Processes();

  private final String name = "hdr-fleet-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> containers = new ArrayList<>();

  @AfterEach
  void removeContainers() throws Exception {
    for (String container : containers) {
      Docker.attempt(List.of("rm", "--force", container));
    }
    Docker.attempt(List.of("volume", "rm", "--force", name));
  }

  @Test
  void image_compressed_isSmall() throws Exception {
    assertThat(Images.compressedBytes(Images.fleet()))
        .isBetween(20_000_000L, MOST_COMPRESSED_BYTES);
  }

  @Test
  void gatewayAndNode_inContainersThatAreReadOnly_countEachValue_endInOrder_andGoOn()
      throws Exception {
    Docker.run("volume", "create", name);
    Docker.run(
        "run", "--rm", "--volume=" + name + ":/v", Images.tools(), "chown", "65532:65532", "/v");
    try (KafkaBroker broker = new KafkaBroker();
        ReservedPort ingest = new ReservedPort();
        ReservedPort gatewayHttp = new ReservedPort();
        ReservedPort nodeHttp = new ReservedPort()) {
      broker.createTopics("hdr", PARTITIONS);
      String gateway =
          start(broker, gatewayHttp, List.of(), "gateway", "--ingest-port=" + ingest.number());
      String node =
          start(
              broker,
              nodeHttp,
              List.of("--volume=" + name + ":/var/lib/hdr-sidecar:nocopy"),
              "node",
              "--node-state-directory=/var/lib/hdr-sidecar/state",
              "--node-commit-interval=1s",
              "--kafka-replicas=1");
      awaitReady(gateway, gatewayHttp);
      awaitReady(node, nodeHttp);
      SidecarProcess sidecar =
          processes.sidecar(
              0, "--upstream-address=tcp://127.0.0.1:" + ingest.number(), "--upstream-interval=1s");

      record(sidecar);

      awaitCount(nodeHttp);
      for (String container : List.of(node, gateway)) {
        Docker.run("kill", "--signal=TERM", container);
        assertThat(Docker.run("wait", container)).as(Docker.run("logs", container)).isEqualTo("0");
        assertThat(Docker.run("logs", container)).contains("event=stopped");
      }
      Docker.run("start", node);
      awaitReady(node, nodeHttp);
      awaitCount(nodeHttp);
    }
  }

  private static void record(SidecarProcess sidecar) {
    try (HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build())) {
      LatencyRecorder recorder = client.recorder("image");
      for (int value = 1; value <= VALUES; value++) {
        recorder.record(value);
      }
    }
  }

  private String start(
      KafkaBroker broker, ReservedPort http, List<String> options, String command, String... more)
      throws Exception {
    String container = name + "-" + command;
    List<String> all =
        new ArrayList<>(
            List.of(
                "run",
                "--detach",
                "--name=" + container,
                "--network=host",
                "--read-only",
                "--cap-drop=ALL",
                "--security-opt=no-new-privileges",
                "--user=65532:65532",
                "--memory=512m",
                "--memory-swap=512m",
                "--tmpfs=/tmp:rw,exec,size=64m"));
    all.addAll(options);
    all.add(Images.fleet());
    all.addAll(
        List.of(
            command,
            "--kafka-bootstrap-servers=" + broker.bootstrap(),
            "--kafka-partitions=" + PARTITIONS,
            "--http-port=" + http.number()));
    all.addAll(List.of(more));
    containers.add(container);
    Docker.run(all);
    return container;
  }

  private static void awaitReady(String container, ReservedPort http) throws Exception {
    Eventually.holds(
        () -> {
          if (answer(http, "/-/ready").statusCode() != 200) {
            throw new AssertionError(Docker.run("logs", container));
          }
        });
  }

  private static void awaitCount(ReservedPort http) throws Exception {
    Eventually.holds(
        () ->
            assertThat(answer(http, "/api/v1/histogram?series=image&window=total").body())
                .contains("\"count\":" + VALUES + ",")
                .contains("\"sum\":" + VALUES * (VALUES + 1) / 2 + ","));
  }

  private static HttpResponse<String> answer(ReservedPort http, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + http.number() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
