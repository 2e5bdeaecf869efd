package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A sidecar that takes intervals and is scraped has loaded no class of what it was not asked for:
 * it is ready sooner, and smaller.
 */
final class LoadedClassesIT {
  private static final List<String> LOADED = List.of("-Xlog:class+load");

  private static final List<String> BY_SETTING =
      List.of(
          "io.hdrsidecar.sidecar.statsd.",
          "io.netty.channel.epoll.",
          "io.hdrsidecar.sidecar.otlp.",
          "io.hdrsidecar.sidecar.http.Http2",
          "io.netty.handler.codec.http2.Http2ConnectionHandler ",
          "io.hdrsidecar.internal.interval.Base2Layout",
          "io.hdrsidecar.sidecar.export.",
          "org.yaml.snakeyaml.composer.Composer ");

  private static final List<String> BY_QUESTION = List.of("io.vertx.json.schema.");

  private static final List<String> BY_COMMAND =
      List.of(
          "picocli.CommandLine ",
          "io.hdrsidecar.sidecar.demo.DemoCommand ",
          "io.hdrsidecar.sidecar.cli.LogCommand ",
          "io.hdrsidecar.sidecar.conformance.ConformanceCommand ");

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void serve_asItIs_loadsNothingThatNobodyAsksFor() throws Exception {
    SidecarProcess sidecar = processes.sidecarInJvm(LOADED, List.of());

    sidecar.metrics();
    assertThat(loaded(List.of("io.hdrsidecar.sidecar.Sidecar "), sidecar)).hasSize(1);
    assertThat(loaded(BY_SETTING, sidecar)).isEmpty();
    assertThat(loaded(BY_COMMAND, sidecar)).isEmpty();
    assertThat(loaded(BY_QUESTION, sidecar)).isEmpty();

    assertThat(sidecar.totalIfAny("nobody", "")).isEmpty();
    assertThat(loaded(BY_QUESTION, sidecar)).isEqualTo(BY_QUESTION);
  }

  /** Which of these stand in its log of classes. */
  private static List<String> loaded(List<String> names, SidecarProcess sidecar) {
    String output = sidecar.output();
    return names.stream().filter(output::contains).toList();
  }

  /** Else the names above would not mean anything. */
  @Test
  void serve_withAllOfIt_loadsIt() throws Exception {
    List<String> options =
        List.of(
            "--statsd-udp-address=127.0.0.1:0",
            "--otlp-address=127.0.0.1:0",
            "--export-otlp-address=http://127.0.0.1:1/v1/metrics",
            "--sla-file=../k8s/examples/shop/sla.yaml");

    SidecarProcess sidecar = processes.sidecarInJvm(LOADED, options);

    List<String> servers =
        List.of(
            "io.hdrsidecar.sidecar.statsd.StatsdServer ",
            "io.hdrsidecar.sidecar.otlp.OtlpServer ",
            "io.hdrsidecar.sidecar.http.Http2Request ",
            "io.hdrsidecar.sidecar.export.SeriesExport ",
            "org.yaml.snakeyaml.composer.Composer ");
    assertThat(loaded(servers, sidecar)).isEqualTo(servers);
  }
}
