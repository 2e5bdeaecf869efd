package io.hdrsidecar.tests.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workflows cannot run here: what they call can, and actionlint reads the rest. */
@RequiresPrograms("actionlint")
final class WorkflowsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SCRIPT = Pattern.compile("(?<=[ (])[.\\w/-]*\\.ci/[\\w.-]+");

  private static List<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
      return files.sorted().toList();
    }
  }

  private static String lint(List<Path> workflows) throws Exception {
    Stream<String> files = workflows.stream().map(Path::toString);
    return Tool.run(
        Stream.concat(Stream.of("actionlint", "-no-color", "-oneline"), files).toList(), ROOT);
  }

  @Test
  void workflows_givenToActionlint_areWithoutComplaint() throws Exception {
    assertThat(workflows()).hasSizeGreaterThan(1);
    assertThat(lint(workflows())).isEmpty();
  }

  @Test
  void workflow_withAJobAndAnInputThatAreNotThere_isRefused(@TempDir Path folder) throws Exception {
    String text = Files.readString(ROOT.resolve(".github/workflows/release.yml"));
    Path broken = folder.resolve("broken.yml");
    Files.writeString(
        broken, text.replace("needs: images", "needs: image").replace("name: jars", "nam: jars"));

    assertThatThrownBy(() -> lint(List.of(broken)))
        .hasMessageContaining("needs job \"image\" which does not exist")
        .hasMessageContaining("input \"nam\" is not defined in action");
  }

  @Test
  void scripts_ofSteps_canBeRun() throws IOException {
    for (Path workflow : workflows()) {
      List<String> scripts =
          SCRIPT
              .matcher(Files.readString(workflow))
              .results()
              .map(MatchResult::group)
              .distinct()
              .toList();
      assertThat(scripts).as("%s", workflow).isNotEmpty();
      assertThat(scripts).allMatch(script -> Files.isExecutable(ROOT.resolve(script)));
    }
  }
}
