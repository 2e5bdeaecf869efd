package io.hdrsidecar.sidecar.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import org.junit.jupiter.api.RepeatedTest;

final class KitListenerTest {
  /** Linux gives 32768 to 60999 to whoever asks for any port, others give 49152 and above. */
  @RepeatedTest(20)
  void tcp_port_isNotOneThatSomebodyElseHadByChance() throws IOException {
    try (KitListener listener = KitListener.tcp()) {
      assertThat(URI.create(listener.address()).getPort()).isBetween(10_000, 32_767);
    }
  }

  /** Another kit that listened there would take the client of this one for its own. */
  @RepeatedTest(20)
  void nobody_connect_isRefused_whereNoKitListens() throws IOException {
    URI nobody = URI.create(KitListener.nobody());

    assertThat(nobody.getPort()).isBetween(1024, 9_999);
    assertThatThrownBy(() -> new Socket(nobody.getHost(), nobody.getPort()).close())
        .isInstanceOf(ConnectException.class);
  }
}
