package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who picks up what a dead service has left: killed over it, two at once, or the next client. */
final class CrashRecoveryIT {
  private static final Pattern LAST_SCAN =
      Pattern.compile("\nhdr_sidecar_crash_last_scan_timestamp_seconds (\\S+)");

  @RegisterExtension final Processes processes = new Processes();
  @RegisterExtension final CrashFolder folder = new CrashFolder(processes);

  private List<String> options(String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--crash-folder=" + folder.path());
    options.add("--crash-scan-interval=100ms");
    return options;
  }

  private SidecarProcess sidecar(String... more) throws Exception {
    return processes.sidecar(0, options(more).toArray(String[]::new));
  }

  /** Records for a while where nobody listens, and is killed. */
  private Truth killedService() throws Exception {
    try (ReservedPort nobody = new ReservedPort()) {
      JavaProcess victim =
          folder.victim(
              "tcp://127.0.0.1:" + nobody.number(), Map.of(), folder.resolve("truth").toString());
      Truth truth = Truth.open(folder.resolve("truth"));
      Eventually.holds(() -> assertThat(truth.returned(0)).isPositive());
      victim.kill();
      assertThat(folder.files()).hasSize(1);
      return truth;
    }
  }

  private static void assertExact(Truth truth, JsonObject total) {
    Comparison compared = Comparison.of(truth, total);
    assertThat(compared.isExact()).as(compared.toString()).isTrue();
    assertThat(compared.recorded()).isPositive();
  }

  private static JsonObject total(SidecarProcess sidecar) throws Exception {
    return sidecar.total("crash", "&buckets=true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"recovery-read", "recovery-merged", "recovery-durable", "recovery-deleted"})
  void sidecarKilledOverAFile_nextOne_countsItOnce(String point) throws Exception {
    Truth truth = killedService();
    String journal = "--journal-directory=" + folder.resolve("journal");
    List<String> first = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    first.addAll(options(journal));
    JavaProcess dying = processes.java(List.of("-Dio.hdrsidecar.crash.fault=" + point), first);
    assertThat(dying.awaitExit()).isEqualTo(137);

    SidecarProcess next = sidecar(journal);
    folder.awaitNoFiles();

    assertExact(truth, total(next));
  }

  @Test
  void twoSidecarsAfterOneFolder_oneOfThem_countsIt() throws Exception {
    SidecarProcess one = sidecar();
    SidecarProcess other = sidecar();
    Truth truth = killedService();
    folder.awaitNoFiles();

    boolean isFirst = one.output().contains("event=crash_picked_up");
    assertThat(other.output().contains("event=crash_picked_up")).isNotEqualTo(isFirst);
    assertExact(truth, total(isFirst ? one : other));
  }

  @Test
  void nextClient_ofASidecarWithoutTheFolder_deliversWhatWasLeft() throws Exception {
    Truth truth = killedService();
    SidecarProcess sidecar = processes.sidecar();
    ClientConfig config =
        ClientConfig.builder().address(sidecar.ingestAddress()).crashFolder(folder.path()).build();

    try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
      client.recorder("own").record(1);
      Eventually.holds(() -> assertThat(client.health().recoveredValues()).isPositive());
      Eventually.holds(() -> assertThat(folder.files()).hasSize(1));
    }

    assertExact(truth, total(sidecar));
    assertThat(folder.files()).as("after an orderly end").isEmpty();
    assertThat(sidecar.total("own", "").getLong("count")).isEqualTo(1);
  }

  /** Its connection is given up, and its file is not: the kernel's lock says that it lives. */
  @Test
  void serviceStopped_longerThanEveryTimeout_keepsItsFileAndGoesOn() throws Exception {
    SidecarProcess sidecar = sidecar("--ingest-idle-timeout=1s", "--ingest-hello-timeout=1s");
    Path file = folder.resolve("truth");
    JavaProcess service =
        folder.victim(
            sidecar.ingestAddress(), Map.of("HDR_SIDECAR_INTERVAL", "100ms"), file.toString());
    Truth truth = Truth.open(file);
    Eventually.holds(() -> assertThat(total(sidecar).getLong("count")).isPositive());

    service.signal("STOP");
    Eventually.holds(() -> assertThat(sidecar.metrics()).contains("\nhdr_sidecar_connections 0"));
    long scanned = lastScan(sidecar);
    Eventually.holds(() -> assertThat(lastScan(sidecar)).isGreaterThan(scanned + 2));
    assertThat(folder.files()).hasSize(1);
    assertThat(sidecar.output()).doesNotContain("event=crash_picked_up");
    long recorded = truth.returned(0);
    service.signal("CONT");
    Eventually.holds(() -> assertThat(truth.returned(0)).isGreaterThan(recorded));
    service.kill();
    folder.awaitNoFiles();

    assertExact(truth, total(sidecar));
    assertThat(sidecar.output()).containsOnlyOnce("event=crash_picked_up");
  }

  /** Seconds since the epoch. */
  private static long lastScan(SidecarProcess sidecar) throws Exception {
    Matcher found = LAST_SCAN.matcher(sidecar.metrics());
    assertThat(found.find()).isTrue();
    return (long) Double.parseDouble(found.group(1));
  }

  @Test
  void damagedFile_isKeptAsideAndNamed_andTheNextIsCounted() throws Exception {
    killedService();
    byte[] bytes = Files.readAllBytes(folder.files().get(0));
    bytes[8]++;
    Files.write(folder.files().get(0), bytes);
    SidecarProcess sidecar = sidecar();
    Eventually.holds(() -> assertThat(sidecar.output()).contains("event=crash_damaged"));
    assertThat(sidecar.output()).contains("version must be 1");
    assertThat(folder.files()).singleElement().asString().endsWith(".bad");
    Files.delete(folder.files().get(0));
    Files.delete(folder.resolve("truth"));

    Truth truth = killedService();
    folder.awaitNoFiles();

    assertExact(truth, total(sidecar));
    assertThat(sidecar.metrics())
        .contains("hdr_sidecar_crash_files_total{result=\"damaged\"} 1")
        .contains("hdr_sidecar_crash_files_total{result=\"merged\"} 1");
  }

  @Test
  void folderOnADisk_isRefusedInALine_andValuesAreDelivered() throws Exception {
    SidecarProcess sidecar = sidecar();
    JavaProcess service =
        folder.victim(
            sidecar.ingestAddress(),
            Map.of("HDR_SIDECAR_CRASH_FOLDER", "target"),
            folder.resolve("truth").toString());

    Eventually.holds(() -> assertThat(total(sidecar).getLong("count")).isPositive());
    assertThat(service.output()).contains("must be in memory (tmpfs");
  }
}
