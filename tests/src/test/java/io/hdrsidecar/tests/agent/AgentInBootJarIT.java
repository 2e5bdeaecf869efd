package io.hdrsidecar.tests.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A jar of Spring Boot's that embeds the client, and the agent around it. */
final class AgentInBootJarIT {
  private static final Pattern RECORDED = Pattern.compile("recorded");
  private static final Pattern INFO =
      Pattern.compile("hdr_sidecar_client_info\\{(?<labels>[^}]*)} 1");

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void agent_aroundABootJarWithTheClientInside_isASecondInstanceBesideIt() throws Exception {
    Path jar = directory.resolve("program.jar");
    BootJar.write(
        jar,
        EmbeddingProgram.class,
        List.of(
            HdrSidecarClient.class,
            HdrSidecarMeterRegistry.class,
            Labels.class,
            Histogram.class,
            MeterRegistry.class,
            KeyValue.class,
            Observation.class));
    SidecarProcess sidecar = processes.sidecar();
    JavaProcess program =
        processes.start(
            AgentJar.java("labels=part=agent,interval=50ms", "-jar", jar.toString()),
            Map.of(
                "HDR_SIDECAR_ADDRESS", sidecar.ingestAddress(),
                "HDR_SIDECAR_INTERVAL", "50ms",
                "HDR_SIDECAR_LABELS", "part=program"));

    program.awaitLine(RECORDED);

    Eventually.holds(
        () -> {
          assertThat(sidecar.total("calls{part=\"program\"}", "").getLong("count")).isEqualTo(10);
          assertThat(sidecar.total("jvm_hiccup_raw{part=\"agent\"}", "").getLong("count"))
              .isPositive();
          assertThat(instances(sidecar.metrics())).containsOnlyKeys("agent", "program");
        });
    assertThat(Set.copyOf(instances(sidecar.metrics()).values())).as("instances").hasSize(2);
    assertThat(sidecar.metrics()).doesNotContain("jvm_hiccup_raw_seconds_count{part=\"program\"}");
  }

  /** From the value of the label {@code part} to the client that has it. */
  private static Map<String, String> instances(String metrics) {
    return INFO.matcher(metrics)
        .results()
        .map(info -> info.group(1))
        .collect(Collectors.toMap(l -> label("part", l), l -> label("client", l)));
  }

  private static String label(String name, String labels) {
    Matcher found = Pattern.compile(name + "=\"([^\"]*)\"").matcher(labels);
    return found.find() ? found.group(1) : "none";
  }

  @Test
  void agentJar_hasNothingThatAProgramMayLoadByItsName() throws Exception {
    List<String> others = new ArrayList<>();
    try (JarFile jar = new JarFile(AgentJar.path().toFile())) {
      jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> !name.startsWith("io/hdrsidecar/agent/") && !name.endsWith("/"))
          .forEach(others::add);
      assertThat(jar.getManifest().getMainAttributes().getValue("Premain-Class"))
          .isEqualTo("io.hdrsidecar.agent.HiccupAgent");
    }
    assertThat(others).allMatch(name -> name.startsWith("META-INF/"));
  }

  @Test
  void agentJar_needsNothingButTheJdk() {
    StringWriter output = new StringWriter();
    PrintWriter to = new PrintWriter(output);
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    int exit = jdeps.run(to, to, "--missing-deps", AgentJar.path().toString());
    assertThat(output.toString()).isEmpty();
    assertThat(exit).isZero();
  }
}
