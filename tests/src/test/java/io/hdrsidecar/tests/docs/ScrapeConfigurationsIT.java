package io.hdrsidecar.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prometheus takes the configurations that pages show. */
@RequiresPrograms("promtool")
class ScrapeConfigurationsIT {
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/getting-started.md"})
  void configuration_byPromtool_isRight(String page, @TempDir Path folder) throws Exception {
    List<CodeBlock> shown =
        CodeBlock.of(Path.of("..", page)).stream()
            .filter(block -> block.mark().equals(CodeBlock.FILE + "prometheus.yml"))
            .toList();
    assertThat(shown).hasSize(1);
    Path file = Files.writeString(folder.resolve("prometheus.yml"), shown.get(0).text());
    Tool.run(List.of("promtool", "check", "config", file.toString()), folder);
  }
}
