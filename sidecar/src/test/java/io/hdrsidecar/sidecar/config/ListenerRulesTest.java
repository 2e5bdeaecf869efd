package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerRulesTest {
  private static final String TLS = "--tls-certificate=c --tls-key=k";

  private static SidecarConfig load(String flags) throws ConfigException {
    Map<String, String> byFlag = new HashMap<>();
    for (String flag : flags.split(" ", -1)) {
      byFlag.put(flag.replaceFirst("=.*", ""), flag.replaceFirst("[^=]*=", ""));
    }
    return ConfigLoader.load(byFlag, Map.of(), null);
  }

  private static List<String> problems(String flags) {
    try {
      load(flags);
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "::1", "localhost"})
  void load_loopback_needsNothing(String host) throws Exception {
    assertThat(load("--ingest-host=" + host + " --http-host=" + host + " --strict=true").warnings())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | ingest.host: listens on 0.0.0.0 without TLS and without token or client certificates;"
            + " set tls.certificate and tls.key, and ingest.token-file or tls.client-ca; or listen on"
            + " 127.0.0.1",
        "' --ingest-token-file=t' | ingest.host: listens on 0.0.0.0 without TLS; set tls.certificate"
            + " and tls.key; or listen on 127.0.0.1",
        "' --tls-certificate=c --tls-key=k' | ingest.host: listens on 0.0.0.0 without token or"
            + " client certificates; set ingest.token-file or tls.client-ca; or listen on 127.0.0.1"
      })
  void load_beyondLoopback_warnsOfWhatIsMissingAndStrictRefuses(String more, String line)
      throws Exception {
    assertThat(load("--ingest-host=0.0.0.0" + more).warnings()).containsExactly(line);
    assertThat(problems("--ingest-host=0.0.0.0 --strict=true" + more))
        .containsExactly(line + " (refused by strict)");
  }

  @ParameterizedTest
  @ValueSource(strings = {" --ingest-token-file=t", " --tls-client-ca=a"})
  void load_beyondLoopbackProtected_isFine(String proof) throws Exception {
    assertThat(load("--ingest-host=:: --strict=true " + TLS + proof).warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tls-certificate=c | tls.certificate and tls.key: must be set together",
        "--tls-key=k | tls.certificate and tls.key: must be set together",
        "--tls-client-ca=a | tls.client-ca: needs tls.certificate and tls.key",
        "--http-tls=on | http.tls: needs tls.certificate and tls.key",
        "--ingest-tls=mutual --tls-certificate=c --tls-key=k | ingest.tls: mutual needs"
            + " tls.client-ca",
      })
  void load_contradictions_areProblems(String flags, String problem) {
    assertThat(problems(flags)).containsExactly(problem);
  }

  @Test
  void load_tlsByFiles_isSpokenByBothUnlessSaidOtherwise() throws Exception {
    TlsConfig mutual = new TlsConfig(Path.of("c"), Path.of("k"), Path.of("a"));
    SidecarConfig both = load(TLS + " --tls-client-ca=a");
    SidecarConfig apart = load(TLS + " --tls-client-ca=a --http-tls=on --ingest-tls=off");

    assertThat(both.receive().access().tls()).isEqualTo(mutual);
    assertThat(both.http().access().tls()).isEqualTo(mutual);
    assertThat(apart.receive().access().tls()).isNull();
    assertThat(apart.http().access().tls())
        .isEqualTo(new TlsConfig(Path.of("c"), Path.of("k"), null));
  }

  @Test
  void load_unixMode_isOctal() throws Exception {
    SidecarConfig config = load("--ingest-unix-socket=/run/x --ingest-unix-mode=0660");

    assertThat(config.receive().unix())
        .isEqualTo(
            new UnixSocketConfig(
                Path.of("/run/x"), PosixFilePermissions.fromString("rw-rw----"), null));
    assertThat(problems("--ingest-unix-mode=rw")).hasSize(1);
  }

  @Test
  void load_switch_isTrueOrFalse() {
    assertThatThrownBy(() -> load("--strict=yes"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("strict: must be true or false: yes");
  }
}
