package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientConfigTest {
  @Test
  void fromEnvironment_empty_givesTheDefaults() throws IOException {
    ClientConfig config = ClientConfig.fromEnvironment(Map.of());

    assertThat(config.address()).isEqualTo("tcp://127.0.0.1:9924");
    assertThat(config.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.commonLabels()).isEqualTo(Labels.empty());
    assertThat(config.enabled()).isTrue();
    assertThat(config.closeTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.maxSeries()).isEqualTo(1000);
    assertThat(config.shutdownHook()).isTrue();
    assertThat(config.spillFolder()).isEmpty();
    assertThat(config.crashFolder()).isEmpty();
    assertThat(config.sendConfig().token().current()).isEmpty();
  }

  @Test
  void fromEnvironment_everythingSet_isTaken() throws IOException {
    ClientConfig config =
        ClientConfig.fromEnvironment(
            Map.of(
                "HDR_SIDECAR_ADDRESS", "unix:///run/sidecar/ingest.sock",
                "HDR_SIDECAR_INTERVAL", "500ms",
                "HDR_SIDECAR_LABELS", "pod=a-1, query=a=b",
                "HDR_SIDECAR_TOKEN", " secret ",
                "HDR_SIDECAR_SPILL_FOLDER", "/var/spill",
                "HDR_SIDECAR_CRASH_FOLDER", "/dev/shm/crash",
                "HDR_SIDECAR_ENABLED", "false"));

    assertThat(config.address()).isEqualTo("unix:///run/sidecar/ingest.sock");
    assertThat(config.interval()).isEqualTo(Duration.ofMillis(500));
    assertThat(config.commonLabels()).isEqualTo(Labels.of("pod", "a-1", "query", "a=b"));
    assertThat(config.sendConfig().token().current()).isEqualTo("secret");
    assertThat(config.spillFolder()).contains(Path.of("/var/spill"));
    assertThat(config.crashFolder()).contains(Path.of("/dev/shm/crash"));
    assertThat(config.enabled()).isFalse();
    assertThat(config.toString())
        .doesNotContain("secret")
        .contains("interval=500ms", "closeTimeout=2s");
    assertThat(config.sendConfig().toString()).doesNotContain("secret").contains("interval=500ms");
  }

  @ParameterizedTest
  @CsvSource({"10s, PT10S", "250ms, PT0.25S", "1m, PT1M", "1h, PT1H"})
  void fromEnvironment_interval_isReadWithItsUnit(String text, Duration expected) {
    assertThat(ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_INTERVAL", text)).interval())
        .isEqualTo(expected);
  }

  @Test
  void fromEnvironment_severalMistakes_areAllNamed() throws IOException {
    assertThatThrownBy(
            () ->
                ClientConfig.fromEnvironment(
                    Map.of(
                        "HDR_SIDECAR_ADDRESS", "localhost:9924",
                        "HDR_SIDECAR_INTERVAL", "5x",
                        "HDR_SIDECAR_LABELS", "le=1",
                        "HDR_SIDECAR_ENABLED", "yes")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HDR_SIDECAR_ADDRESS: ")
        .hasMessageContaining("tls://host:port or unix:///path")
        .hasMessageContaining("localhost:9924")
        .hasMessageContaining("HDR_SIDECAR_INTERVAL: ")
        .hasMessageContaining("5x")
        .hasMessageContaining("HDR_SIDECAR_LABELS: ")
        .hasMessageContaining("le")
        .hasMessageContaining("HDR_SIDECAR_ENABLED: must be true or false: yes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "s", "-1s", "1.5s", "1ms", "2h", "1 s"})
  void fromEnvironment_intervalOutOfSyntaxOrRange_isRefused(String text) {
    assertThatThrownBy(() -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_INTERVAL", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HDR_SIDECAR_INTERVAL");
  }

  @ParameterizedTest
  @CsvSource({"1ms, 1ms", "2h, 2h", "61m, 1h1m", "0s, 0s"})
  void fromEnvironment_intervalOutOfRange_isRefusedInTheUnitsOfUsers(String text, String shown) {
    assertThatThrownBy(() -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_INTERVAL", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "environment of hdr-sidecar's client: HDR_SIDECAR_INTERVAL:"
                + " interval must be 10ms to 1h: "
                + shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pod", "pod=a,", "pod=a,pod=b", "__x=1", "overflow=true", "corrected=x"})
  void fromEnvironment_badLabels_areRefused(String text) {
    assertThatThrownBy(() -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_LABELS", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HDR_SIDECAR_LABELS");
  }

  @Test
  void fromEnvironment_tokenFile_isReadWithoutItsLineEnd(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "secret\n");

    ClientConfig config =
        ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TOKEN_FILE", file.toString()));

    assertThat(config.sendConfig().token().current()).isEqualTo("secret");
  }

  /** As editors of Windows write it: EF BB BF is U+FEFF in UTF-8. */
  @Test
  void fromEnvironment_tokenFileWithAByteOrderMark_isReadWithoutIt(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("token");
    Files.write(file, new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'a', 'b', '\r', '\n'});

    ClientConfig config =
        ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TOKEN_FILE", file.toString()));

    assertThat(config.sendConfig().token().current()).isEqualTo("ab");
  }

  @Test
  void fromEnvironment_tokenFileThatCannotBeRead_isRefusedNamingIt(@TempDir Path directory)
      throws IOException {
    Path latin = Files.write(directory.resolve("token"), new byte[] {(byte) 0xFC});
    for (Path file : List.of(directory, latin)) {
      assertThatThrownBy(
              () -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TOKEN_FILE", "" + file)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(": token file cannot be read as UTF-8: " + file);
    }
  }

  @Test
  void fromEnvironment_tokenFileChanged_isReadAnew(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "old\n");
    ClientConfig config =
        ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TOKEN_FILE", file.toString()));

    Files.writeString(file, "new\n");

    assertThat(config.sendConfig().token().current()).isEqualTo("new");
  }

  @Test
  void fromEnvironment_tlsFilesWithoutTls_areRefused(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("ca.pem"), "");

    assertThatThrownBy(
            () -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TLS_CA", file.toString())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TLS files need an address tls://host:port");
  }

  @Test
  void fromEnvironment_tlsFileMissingOrAlone_isRefusedNamingIt() {
    assertThatThrownBy(
            () ->
                ClientConfig.fromEnvironment(
                    Map.of(
                        "HDR_SIDECAR_ADDRESS", "tls://localhost:1",
                        "HDR_SIDECAR_TLS_CA", "/no/such/file")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("environment of hdr-sidecar's client: TLS file does not exist: /no/such/file");
    assertThatThrownBy(
            () ->
                ClientConfig.fromEnvironment(
                    Map.of(
                        "HDR_SIDECAR_ADDRESS", "tls://localhost:1",
                        "HDR_SIDECAR_TLS_KEY", "/no/such/file")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "environment of hdr-sidecar's client: HDR_SIDECAR_TLS_KEY: must be set together with"
                + " HDR_SIDECAR_TLS_CERTIFICATE");
  }

  @Test
  void fromEnvironment_tokenTwiceOrFileMissing_isRefused() throws IOException {
    assertThatThrownBy(
            () ->
                ClientConfig.fromEnvironment(
                    Map.of("HDR_SIDECAR_TOKEN", "a", "HDR_SIDECAR_TOKEN_FILE", "/b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not be set together");
    assertThatThrownBy(
            () -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_TOKEN_FILE", "/no/such/file")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "environment of hdr-sidecar's client: HDR_SIDECAR_TOKEN_FILE:"
                + " token file does not exist: /no/such/file");
  }

  @Test
  void builder_outOfRange_isRefused() throws IOException {
    ClientConfig.Builder builder = ClientConfig.builder();

    assertThatThrownBy(() -> builder.maxSeries(0)).hasMessageContaining("1..1000000: 0");
    assertThatThrownBy(() -> builder.closeTimeout(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.address("tcp://host"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.token("x".repeat(5000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("xx");
  }
}
