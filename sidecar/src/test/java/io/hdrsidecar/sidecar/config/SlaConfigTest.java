package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlaConfigTest {
  /** A ConfigMap that comes later is mounted as an empty folder; a mistyped path has none. */
  @Test
  void slaFileNotRequired_inNoFolder_isAProblemOfTheRules(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("mistyped/sla.yaml");
    Map<String, String> flags = Map.of("--sla-file", file.toString(), "--sla-required", "off");

    SidecarConfig config = ConfigLoader.load(flags, Map.of(), null);

    assertThat(config.slaProblems())
        .containsExactly(
            "sla.file: no such folder: "
                + file.getParent()
                + ", in which sla.yaml was expected; correct the path, or mount a volume there");
    assertThat(config.warnings()).containsAll(config.slaProblems());
    Files.createDirectory(folder.resolve("mistyped"));
    assertThat(ConfigLoader.load(flags, Map.of(), null).slaProblems()).isEmpty();
  }
}
