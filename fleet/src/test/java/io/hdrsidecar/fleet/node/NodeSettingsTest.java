package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {
  private static List<String> warnings(Map<String, String> environment, Map<String, String> flags)
      throws Exception {
    Map<String, String> all = new TreeMap<>(flags);
    all.put("--kafka-bootstrap-servers", "127.0.0.1:1");
    all.put("--kafka-partitions", "4");
    return NodeSettings.load(all, environment, null).warnings();
  }

  /** It has no listener for those who send, and no setting for their tokens. */
  @Test
  void tokenForClients_whereNobodyIsAsked_isNamedWithWhatAsks() throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN_FILE", "x"), Map.of()))
        .containsExactly(
            "HDR_SIDECAR_TOKEN_FILE: says what a client shows, and this process asks nobody for a"
                + " token; set http.token-file for those who ask");
  }

  @Test
  void tokenForClients_whereReadersAreAsked_isNotNamed() throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN", "x"), Map.of("--http-token-file", "t")))
        .isEmpty();
  }
}
