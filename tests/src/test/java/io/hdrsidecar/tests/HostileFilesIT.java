package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What somebody else may put into the folders of a sidecar neither stops it nor leads it astray.
 */
final class HostileFilesIT {
  private static final int VALUES = 1_000;

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path temporary = Path.of("set by JUnit");
  private Path folder = Path.of("set before each test");

  /** Where nobody listens, nor will. */
  private final ReservedPort nobody = new ReservedPort();

  HostileFilesIT() throws IOException {}

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(temporary.resolve("spill"));
  }

  @AfterEach
  void freePort() throws IOException {
    nobody.close();
  }

  /** The name of a spill file, older than any that a client writes now. */
  private Path planted(int number) {
    return folder.resolve("spill-20200101T00000%dZ-%032x.hlog".formatted(number, number));
  }

  private static void makePipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).inheritIO().start().waitFor())
        .isZero();
  }

  private void plantLongLine(Path path) throws IOException {
    byte[] line = new byte[60 << 20];
    Arrays.fill(line, (byte) 'A');
    Files.write(path, line);
  }

  private void plantSparse(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(20L << 30);
    }
  }

  /** Each is whole, as PROTOCOL.md draws it. */
  private void plantDefinitions(Path path) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
      comment(out, "#J 1 1 ");
      for (int i = 1; i <= 700_000; i++) {
        comment(
            out,
            "#S "
                + Integer.toHexString(i)
                + " 1 1 name=s"
                + i
                + " unit=ns lowest=1 digits=3 highest=3600000000000 created=0 help= ");
      }
    }
  }

  private static void comment(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    out.write(bytes);
    out.write(HexFormat.of().toHexDigits((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII));
    out.write('\n');
  }

  /** What a client leaves that never meets a sidecar. */
  private void spill() {
    ClientConfig config =
        ClientConfig.builder()
            .address("tcp://127.0.0.1:" + nobody.number())
            .spillFolder(folder)
            .shutdownHook(false)
            .build();
    HdrSidecarClient client = HdrSidecarClient.create(config);
    for (int i = 0; i < VALUES; i++) {
      client.recorder("calls").record(i);
    }
    assertThat(client.close(Duration.ZERO).spilledValues()).isEqualTo(VALUES);
  }

  private SidecarProcess sidecar() throws InterruptedException {
    return processes.sidecarInJvm(
        List.of("-Xmx64m"), List.of("--spill-folder=" + folder, "--spill-scan-interval=100ms"));
  }

  private static void awaitValues(SidecarProcess sidecar) throws Exception {
    Eventually.holds(
        () -> assertThat(sidecar.total("calls", "").getLong("count")).isEqualTo(VALUES));
  }

  @Test
  void spillFolder_withFilesThatFillAHeap_isPickedUpAllTheSame() throws Exception {
    plantLongLine(planted(1));
    plantSparse(planted(2));
    plantDefinitions(planted(3));
    makePipe(planted(4));
    Files.createSymbolicLink(planted(5), Path.of("/etc/passwd"));
    spill();

    SidecarProcess sidecar = sidecar();
    awaitValues(sidecar);

    assertThat(sidecar.metrics())
        .contains("hdr_sidecar_spill_files_total{result=\"damaged\"} 3.0\n")
        .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 1.0\n");
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("hdr_sidecar_spill_failures_total [1-9]")
                .containsPattern("hdr_sidecar_spill_last_scan_timestamp_seconds [1-9]"));
    assertThat(sidecar.output())
        .doesNotContain("OutOfMemoryError")
        .contains(planted(4) + " must be a regular file, and is a named pipe")
        .contains(planted(5) + " must be a regular file, and is a symbolic link");
    assertThat(Path.of("/etc/passwd")).exists();
  }

  @Test
  void spillFolder_whoseLockIsAPipe_isPickedUpWhenThatIsGone() throws Exception {
    Path lock = folder.resolve("spill.lock");
    makePipe(lock);
    spill();
    SidecarProcess sidecar = sidecar();
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("hdr_sidecar_spill_failures_total [1-9]")
                .contains("hdr_sidecar_spill_last_scan_timestamp_seconds 0.0\n"));

    Files.delete(lock);

    awaitValues(sidecar);
  }

  @Test
  void spillFolder_whoseLockIsALinkToNothing_makesNoFileElsewhere() throws Exception {
    Path elsewhere = temporary.resolve("elsewhere");
    Path lock = Files.createSymbolicLink(folder.resolve("spill.lock"), elsewhere);
    spill();
    SidecarProcess sidecar = sidecar();
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("hdr_sidecar_spill_failures_total [1-9]"));
    assertThat(elsewhere).doesNotExist();

    Files.delete(lock);

    awaitValues(sidecar);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "intervals-20200101T000000Z-1.hlog"})
  void serve_journalWithAPipe_endsAndSaysWhere(String name) throws Exception {
    Path journal = Files.createDirectory(temporary.resolve("journal"));
    makePipe(journal.resolve(name));

    JavaProcess process =
        processes.start(
            List.of("serve", "--ingest-port=0", "--http-port=0", "--journal-directory=" + journal));

    assertThat(process.awaitExit()).isNotZero();
    assertThat(process.output())
        .contains("journal.directory: " + journal.resolve(name))
        .contains("must be a regular file, and is a named pipe");
  }

  @Test
  void client_whoseLockIsAPipe_deliversAndEnds() throws Exception {
    makePipe(folder.resolve("spill.lock"));
    SidecarProcess sidecar = processes.sidecar();
    ClientConfig config =
        ClientConfig.builder()
            .address(sidecar.ingestAddress())
            .interval(Duration.ofMillis(50))
            .spillFolder(folder)
            .shutdownHook(false)
            .build();
    HdrSidecarClient client = HdrSidecarClient.create(config);
    for (int i = 0; i < VALUES; i++) {
      client.recorder("calls").record(i);
    }

    assertThat(client.close(Duration.ofMinutes(1)).deliveredAll()).isTrue();
    assertThat(sidecar.total("calls", "").getLong("count")).isEqualTo(VALUES);
  }
}
