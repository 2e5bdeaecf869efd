package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is set and does nothing is told, and what is so on purpose is not. */
class UnusedSettingsTest {
  private static List<String> warnings(Map<String, String> environment, String... flags)
      throws ConfigException {
    Map<String, String> given = new HashMap<>();
    for (String flag : flags) {
      int end = flag.indexOf('=');
      given.put(flag.substring(0, end), flag.substring(end + 1));
    }
    return ConfigLoader.load(given, environment, null).warnings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "--ingest-unix-mode=0660 --ingest-unix-group=0@ ingest.unix-mode, ingest.unix-group@"
            + " ingest.unix-socket",
        "--upstream-drain=1s --upstream-resource-pod=a@ upstream.drain, upstream.resource.pod@"
            + " upstream.address",
        "--journal-fsync=on --journal-max-queued=1MiB@ journal.fsync, journal.max-queued@"
            + " journal.directory",
        "--otlp-max-body=1MiB --otlp-tell-not-kept=false@ otlp.max-body, otlp.tell-not-kept@"
            + " otlp.address",
        "--otlp-max-counters-and-gauges=9@ otlp.max-counters-and-gauges@ otlp.address",
        "--export-interval=30s@ export.interval@ export.otlp.address or export.remote-write.address",
        "--export-remote-write-address=http://127.0.0.1:1 --export-otlp-temporality=delta@"
            + " export.otlp.temporality@ export.otlp.address",
        "--spill-scan-interval=1s@ spill.scan-interval@ spill.folder",
        "--crash-scan-interval=1s@ crash.scan-interval@ crash.folder",
        "--statsd-max-counters-and-gauges=9@ statsd.max-counters-and-gauges@ statsd.udp-address or"
            + " statsd.unix-datagram or statsd.unix-stream",
        "--statsd-udp-address=127.0.0.1:0 --statsd-unix-mode=0660@ statsd.unix-mode@"
            + " statsd.unix-datagram or statsd.unix-stream",
        "--statsd-unix-stream=s --statsd-receive-buffer=1MiB@ statsd.receive-buffer@"
            + " statsd.udp-address",
      })
  void setWithoutTheirHead_areNamedWithIt(String flags, String settings, String head)
      throws Exception {
    assertThat(warnings(Map.of(), flags.split(" ")))
        .containsExactly(
            settings + ": no effect without " + head + "; set " + head + ", or leave this out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--ingest-unix-mode=0660 --ingest-unix-socket=s",
        "--upstream-drain=1s --upstream-address=tcp://127.0.0.1:1",
        "--journal-fsync=on --journal-directory=j",
        "--otlp-max-body=1MiB --otlp-address=127.0.0.1:0",
        "--export-interval=30s --export-otlp-address=http://127.0.0.1:1",
        "--export-interval=30s --export-remote-write-address=http://127.0.0.1:1",
        "--statsd-unix-mode=0660 --statsd-unix-datagram=s",
        "--statsd-max-counters-and-gauges=9 --statsd-unix-stream=s",
        "--statsd-receive-buffer=1MiB --statsd-udp-address=127.0.0.1:0",
      })
  void setWithTheirHead_areNotNamed(String flags) throws Exception {
    assertThat(warnings(Map.of(), flags.split(" "))).isEmpty();
  }

  /** The image sets the mode, and a sidecar above those of pods has no socket. */
  @Test
  void headGivenAsEmpty_isOnPurpose() throws Exception {
    assertThat(
            warnings(
                Map.of(
                    "HDR_SIDECAR_INGEST_UNIX_SOCKET", "",
                    "HDR_SIDECAR_INGEST_UNIX_MODE", "0660")))
        .isEmpty();
  }

  @Test
  void setAsByDefault_isNotNamed() throws Exception {
    assertThat(warnings(Map.of(), "--upstream-drain=5s", "--journal-fsync=off")).isEmpty();
  }

  /** It is a mistake for sure in no case, so strict starts. */
  @Test
  void setWithoutTheirHead_strict_startsAllTheSame() throws Exception {
    assertThat(warnings(Map.of(), "--strict=true", "--upstream-drain=1s")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HDR_SIDECAR_TOKEN", "HDR_SIDECAR_TOKEN_FILE"})
  void tokenForClients_whereNobodyIsAsked_isNamedWithWhatAsks(String variable) throws Exception {
    assertThat(warnings(Map.of(variable, "x")))
        .containsExactly(
            variable
                + ": says what a client shows, and this process asks nobody for a token; set"
                + " ingest.token-file for those who send, and http.token-file for those who ask");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--ingest-token-file=t", "--http-token-file=t"})
  void tokenForClients_whereSomebodyIsAsked_isNotNamed(String flag) throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN", "x"), flag)).isEmpty();
  }

  @Test
  void tokenForClients_empty_isNotNamed() throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN", ""))).isEmpty();
  }
}
