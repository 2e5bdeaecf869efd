package io.hdrsidecar.sidecar.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemotePeersTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "127.0.0.2, 127.0.0.2",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2",
    "2001:db8:1:2:9:9:9:9, 2001:db8:1:2",
    ", unix"
  })
  void nameOf_addresses_areTheirOwnOrTheirNetworks(String host, String name) {
    assertThat(RemotePeers.nameOf(host)).isEqualTo(name);
  }

  @Test
  void oldestOfMost_ofConnectionsInOrderOfAge_isTheFirstOfTheMostFrequentPeer() {
    Map<String, String> peers = new LinkedHashMap<>();
    assertThat(RemotePeers.oldestOfMost(peers)).isEmpty();

    peers.put("probe", "10.0.0.1");
    peers.put("first", "10.0.0.2");
    peers.put("second", "10.0.0.2");

    assertThat(RemotePeers.oldestOfMost(peers)).hasValue("first");
  }
}
