package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SidecarAddressTest {
  @Test
  void resolve_tcp_isHostAndPort() throws IOException {
    assertThat(SidecarAddress.parse("tcp://127.0.0.1:9924").resolve(0))
        .isEqualTo(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 9924));
    assertThat(SidecarAddress.parse("tcp://[::1]:9924").resolve(3))
        .isEqualTo(
            new InetSocketAddress(
                InetAddress.getByAddress(
                    new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
                9924));
  }

  @Test
  void resolve_unix_isThePath() throws IOException {
    assertThat(SidecarAddress.parse("unix:///run/a.sock").resolve(0))
        .isEqualTo(UnixDomainSocketAddress.of("/run/a.sock"));
  }

  @Test
  void resolve_unknownHost_isAnIoExceptionForTheSessionToRetry() {
    SidecarAddress address = SidecarAddress.parse("tcp://no-such-host.invalid:1");

    assertThatThrownBy(() -> address.resolve(0)).isInstanceOf(UnknownHostException.class);
  }

  /** Names of Compose's services and containers, which resolvers take and URIs do not. */
  @ParameterizedTest
  @ValueSource(strings = {"hdr_sidecar", "shop_hdr-sidecar.1"})
  void parse_hostThatIsNoneOfAUri_isTaken(String host) {
    SidecarAddress address = SidecarAddress.parse("tcp://" + host + ":9924");

    assertThat(address.host()).isEqualTo(host);
    assertThat(address.port()).isEqualTo(9924);
    assertThat(address.needsLookup()).isTrue();
    assertThat(SidecarAddress.parse("tls://" + host + ":9924").isTls()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:9924",
        "tcp://localhost",
        "tcp://localhost:0",
        "tcp://localhost:65536",
        "tcp://:9924",
        "tcp://a@localhost:1",
        "tcp://localhost:1/path",
        "http://localhost:9924",
        "unix://relative",
        "unix:///",
        "unix:relative",
        "unix:///a?b",
        "tcp://a b:1",
        "tcp://a_b",
        "tcp://a_b:0",
        "tcp://a_b:65536",
        "tcp://a_b:99999999999",
        "tcp://a@a_b:1",
        "tcp://a_b:1/path",
        "tcp://a_b:1?q",
        "tcp://localhost:1#f",
        "tcp://[::g]:1"
      })
  void parse_anythingElse_isRefusedShowingBothForms(String text) {
    assertThatThrownBy(() -> SidecarAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tls://host:port or unix:///path")
        .hasMessageEndingWith(text);
  }

  @Test
  void parse_pathTooLongForASocket_isRefused() {
    assertThatThrownBy(() -> SidecarAddress.parse("unix:///" + "x".repeat(107)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(SidecarAddress.parse("unix:///" + "x".repeat(106))).isNotNull();
  }
}
