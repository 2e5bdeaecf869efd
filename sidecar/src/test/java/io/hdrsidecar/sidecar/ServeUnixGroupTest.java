package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A group that the sidecar may not give its sockets to. */
@Timeout(value = 120, unit = TimeUnit.SECONDS) // Where the kernel allows it, the sidecar runs.
class ServeUnixGroupTest {
  /** A number that no machine gives to the groups of whoever runs tests. */
  private static final String STRANGERS = "54321";

  private final Path folder;

  ServeUnixGroupTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @CsvSource({
    "ingest-unix-socket, ingest-unix-group, ingest.unix-group",
    "statsd-unix-stream, statsd-unix-group, statsd.unix-group"
  })
  void serve_noMemberOfTheGroup_endsWithTwoAndSaysWhatToDo(
      String socketFlag, String groupFlag, String setting) throws Exception {
    Path socket = folder.resolve("s");

    Process process =
        withoutRights(
                JavaProgram.builder(
                    List.of(),
                    Main.class,
                    List.of(
                        "serve",
                        "--ingest-port=0",
                        "--http-port=0",
                        "--log-level=error",
                        "--" + socketFlag + "=" + socket,
                        "--" + groupFlag + "=" + STRANGERS)))
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(output)
          .endsWith(
              "cannot start: "
                  + setting
                  + ": 54321 cannot be given to the socket "
                  + socket
                  + ": Operation not permitted; make this process a member of that group (in a pod:"
                  + " securityContext.supplementalGroups or fsGroup), or name a group that it is"
                  + " in\n");
      assertThat(process.waitFor()).isEqualTo(2);
      assertThat(folder).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Root may give files to anybody, unless that right is taken away. */
  private ProcessBuilder withoutRights(ProcessBuilder builder) throws Exception {
    if (Files.getAttribute(folder, "unix:uid").equals(0)) {
      builder.command().addAll(0, List.of("setpriv", "--bounding-set=-chown", "--inh-caps=-chown"));
    }
    return builder;
  }
}
