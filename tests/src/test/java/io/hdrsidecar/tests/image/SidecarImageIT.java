package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.RequiresDocker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the image is, and what it is not. */
@RequiresDocker
final class SidecarImageIT {
  private static final long MOST_COMPRESSED_BYTES = 80_000_000;
  private static final String STAGE = "io.hdrsidecar.stage";
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final String LAYERS = "{{range .RootFS.Layers}}{{println .}}{{end}}";

  @Test
  void image_inspected_runsTheJvmItselfAsAUserWithoutName() throws Exception {
    String image = Images.sidecar();

    assertThat(Docker.inspect(image, "{{.Config.User}}")).isEqualTo("65532:65532");
    assertThat(Docker.inspect(image, "{{json .Config.Entrypoint}}"))
        .as("exec form: signals reach the JVM")
        .startsWith("[\"/opt/java/bin/java\"");
    assertThat(Docker.inspect(image, "{{json .Config.Healthcheck}}")).isEqualTo("null");
    assertThat(Docker.inspect(image, "{{json .Config.Labels}}"))
        .contains("org.opencontainers.image.version\":\"0.")
        .contains("org.opencontainers.image.licenses\":\"Apache-2.0\"")
        .containsPattern("org.opencontainers.image.revision\":\"\\p{XDigit}{40}\"")
        .containsPattern("org.opencontainers.image.created\":\"\\d{4}-\\d\\d-\\d\\dT[0-9:]{8}Z\"");
  }

  @Test
  void image_compressed_isSmall() throws Exception {
    assertThat(Images.compressedBytes(Images.sidecar()))
        .isBetween(20_000_000L, MOST_COMPRESSED_BYTES);
  }

  /** The third layer, the class archive, has what the training run loaded, which may vary. */
  @Test
  void image_builtAgainFromNothing_hasTheSameRuntimeAndApplication() throws Exception {
    List<String> first = Docker.inspect(Images.sidecar(), LAYERS).lines().toList();

    Set<String> stages = stagesLeft();
    String again = Images.build("build", "hdr-sidecar:again", "--", "--no-cache");

    Eventually.holds(
        () -> assertThat(stagesLeft()).as("the build stage, which is large").isSubsetOf(stages));
    List<String> second = Docker.inspect(again, LAYERS).lines().toList();
    System.out.println("class archives are the same: " + first.equals(second));
    assertThat(first).hasSize(3);
    assertThat(second).hasSize(3);
    assertThat(second.subList(0, 2)).isEqualTo(first.subList(0, 2));
    Docker.run("rmi", again);
  }

  /**
   * Images without a name in which the build stage's program ran last or before, but those that
   * somebody else is building at this moment with the same engine: their folders are still there.
   */
  private static Set<String> stagesLeft() throws Exception {
    Set<String> left = new TreeSet<>();
    for (String image :
        Docker.run("images", "--quiet", "--no-trunc", "--filter=dangling=true").lines().toList()) {
      Docker.Result history =
          Docker.attempt(List.of("history", "--no-trunc", "--format={{.CreatedBy}}", image));
      if (history.output().contains("/build/assemble.sh") && !isUnderWay(image)) {
        left.add(image);
      }
    }
    return left;
  }

  private static boolean isUnderWay(String image) throws Exception {
    Docker.Result stage =
        Docker.attempt(
            List.of("inspect", "--format={{index .Config.Labels \"" + STAGE + "\"}}", image));
    if (!stage.ended()) {
      return true; // it is gone by now
    }
    return !stage.output().isEmpty() && Files.isDirectory(TEMPORARY.resolve(stage.output()));
  }

  @Test
  void shell_inTheImage_isNotThere() throws Exception {
    assertThat(
            Docker.attempt(List.of("run", "--rm", "--entrypoint", "sh", Images.sidecar())).ended())
        .isFalse();
  }
}
