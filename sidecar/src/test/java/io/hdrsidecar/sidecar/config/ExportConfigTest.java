package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExportConfigTest {
  private static SidecarConfig load(Map<String, String> flags) throws ConfigException {
    return ConfigLoader.load(flags, Map.of("OTEL_SERVICE_NAME", "checkout"), null);
  }

  private static ExportConfig export(String... flags) throws ConfigException {
    Map<String, String> all =
        flags.length == 1
            ? Map.of("--export-otlp-address", flags[0])
            : Map.of("--export-otlp-address", flags[0], flags[1], flags[2]);
    return Objects.requireNonNull(load(all).export());
  }

  @Test
  void nothingSet_isOff() throws Exception {
    assertThat(load(Map.of()).export()).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/metrics",
    "http://127.0.0.1:4318/, http://127.0.0.1:4318/v1/metrics",
    "http://[::1]:9090/api/v1/otlp/v1/metrics, http://[::1]:9090/api/v1/otlp/v1/metrics",
    "https://otlp.example/x?key=1, https://otlp.example/x?key=1"
  })
  void address_withoutAPath_meansThatOfOtlp(String text, String url) throws Exception {
    assertThat(export(text).address()).hasToString(url);
    assertThat(export(text).resource()).containsEntry("service.name", "checkout");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "http://127.0.0.1:9090, http://127.0.0.1:9090/api/v1/write",
    "https://mimir.example/api/v1/push, https://mimir.example/api/v1/push",
  })
  void addressOfRemoteWrite_withoutAPath_meansThatOfPrometheus(String text, String url)
      throws Exception {
    ExportConfig export =
        Objects.requireNonNull(
            load(Map.of(
                    "--export-remote-write-address", text, "--export-otlp-temporality", "delta"))
                .export());

    assertThat(export.isRemoteWrite()).isTrue();
    assertThat(export.address()).hasToString(url);
    assertThat(export.temporality()).isEqualTo(ExportConfig.Temporality.CUMULATIVE);
    assertThat(export("http://localhost").isRemoteWrite()).isFalse();
  }

  @Test
  void addressesOfBothWires_areRefused() {
    assertThatThrownBy(
            () -> export("http://localhost", "--export-remote-write-address", "http://localhost"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("export.otlp.address")
        .hasMessageContaining("export.remote-write.address")
        .hasMessageContaining("one receiver");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1:4318", "grpc://a:4317", "http://", "http://a b", "http://u:p@a/"})
  void address_thatIsNoUrlOfHttp_isRefused(String text) {
    assertThatThrownBy(() -> export(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("export.otlp.address");
  }

  @Test
  void exposure_beyondLoopbackWithoutTls_isWarnedOf() throws Exception {
    assertThat(load(Map.of("--export-otlp-address", "http://collector:4318")).warnings())
        .singleElement()
        .asString()
        .contains("without TLS");
    assertThat(load(Map.of("--export-otlp-address", "http://localhost:4318")).warnings()).isEmpty();
    assertThat(load(Map.of("--export-otlp-address", "https://collector")).warnings()).isEmpty();
    assertThat(load(Map.of("--export-remote-write-address", "http://mimir:4317")).warnings())
        .singleElement()
        .asString()
        .startsWith("export.remote-write.address")
        .contains("without TLS");
  }

  @Test
  void portOfGrpc_isWarnedOf() throws Exception {
    assertThat(load(Map.of("--export-otlp-address", "http://localhost:4317")).warnings())
        .singleElement()
        .asString()
        .contains("export.otlp.address", "gRPC", "4318");
  }

  @Test
  void idleExpiry_shorterThanTwoIntervals_isWarnedOf() throws Exception {
    assertThat(
            load(Map.of(
                    "--export-otlp-address", "http://localhost:4318",
                    "--export-interval", "10m"))
                .warnings())
        .singleElement()
        .asString()
        .startsWith("series.idle-expiry");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no colon",
        ": no name",
        "a b: c",
        "Content-Length: 5",
        "host: x",
        "a: \u00e4",
        "X-Prometheus-Remote-Write-Version: 0.1.0"
      })
  void headers_thatCannotBeSent_areRefusedWithoutTellingThem(String line, @TempDir Path folder)
      throws Exception {
    Path file = Files.writeString(folder.resolve("headers"), "X-Key: secret\n" + line + "\n");

    assertThatThrownBy(() -> export("http://localhost", "--export-headers-file", file.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u:secret@a/",
        "http://u:secret@a_b/",
        "http://u:secret@a b/",
        "u:secret@a",
        "secret"
      })
  void address_thatIsRefused_isNotTold(String text) {
    assertThatThrownBy(() -> export(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("export.otlp.address")
        .hasMessageNotContaining("secret");
  }

  /** Java's client would refuse it in each request, with the token in the message. */
  @ParameterizedTest
  @ValueSource(strings = {"secret\u0001", "secret\u20ac"})
  void token_thatCannotBeSent_isRefusedWithoutTellingIt(String token, @TempDir Path folder)
      throws Exception {
    Path file = Files.writeString(folder.resolve("token"), token);

    assertThatThrownBy(() -> export("http://localhost", "--export-token-file", file.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("secret");
  }

  @Test
  void files_thatAreNotThere_areRefused() {
    for (String flag :
        new String[] {"--export-headers-file", "--export-token-file", "--export-tls-ca"}) {
      assertThatThrownBy(() -> export("https://localhost", flag, "/no/such/file"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("/no/such/file");
    }
  }

  @Test
  void filesOfTls_withoutTls_areRefused() {
    assertThatThrownBy(() -> export("http://localhost", "--export-tls-ca", "/etc/hostname"))
        .hasMessageContaining("https");
  }
}
