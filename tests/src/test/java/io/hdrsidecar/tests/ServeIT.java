package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code serve} as a process: how it starts, and how it ends. */
final class ServeIT {
  @RegisterExtension final Processes processes = new Processes();

  @Test
  void sigterm_whileServing_endsOrderlyWith0(@TempDir Path folder) throws Exception {
    Path socket = folder.resolve("hdr.sock");
    JavaProcess serve =
        processes.start(
            List.of("serve", "--ingest-port=0", "--http-port=0", "--ingest-unix-socket=" + socket));
    serve.awaitLine(
        Pattern.compile(
            " event=ready explorer=http://127.0.0.1:[1-9][0-9]*/ ingest=tcp://127.0.0.1:[1-9][0-9]*"
                + " "));
    assertThat(socket).exists();

    serve.terminate();

    assertThat(serve.awaitExit()).isZero();
    assertThat(serve.output()).endsWith(" event=stopped");
    assertThat(socket).doesNotExist();
  }

  @Test
  void checkConfig_wrongFile_listsItsProblemsAndExitsWith2(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("c.yaml"), "http.port: x\nquantiles: 0.5\n");

    JavaProcess serve = processes.start(List.of("serve", "--check-config", "--config=" + file));

    assertThat(serve.awaitExit()).isEqualTo(2);
    assertThat(serve.output().lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("http.port: must be a number"))
        .anyMatch(line -> line.startsWith("quantiles: no such setting"));
  }
}
