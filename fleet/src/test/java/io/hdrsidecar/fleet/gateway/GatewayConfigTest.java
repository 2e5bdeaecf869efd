package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {
  private static List<String> warnings(Map<String, String> environment, Map<String, String> flags)
      throws Exception {
    Map<String, String> all = new TreeMap<>(flags);
    all.put("--kafka-bootstrap-servers", "127.0.0.1:1");
    all.put("--kafka-partitions", "4");
    return GatewayConfig.load(all, environment, null, GatewayMemory.of(256L << 20)).warnings();
  }

  @Test
  void tokenForClients_whereNobodyIsAsked_isNamedWithWhatAsks() throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN", "x"), Map.of()))
        .containsExactly(
            "HDR_SIDECAR_TOKEN: says what a client shows, and this process asks nobody for a token;"
                + " set ingest.token-file for those who send, and http.token-file for those who"
                + " ask");
  }

  @Test
  void tokenForClients_whereSidecarsAreAsked_isNotNamed() throws Exception {
    assertThat(warnings(Map.of("HDR_SIDECAR_TOKEN", "x"), Map.of("--ingest-token-file", "t")))
        .isEmpty();
  }
}
