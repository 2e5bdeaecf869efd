package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawHttp;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Connections that want nothing, or never say what they want: who asks is answered all the same.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class StarvationIT {
  private static final List<String> HOST = List.of("Host: localhost");

  @RegisterExtension final Processes processes = new Processes();
  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void letGo() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private Socket hold(int port, String begun) throws IOException {
    Socket socket = RawHttp.connect(port);
    held.add(socket);
    socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private Socket from(String address, SidecarProcess sidecar, String begun) throws IOException {
    InetAddress own = InetAddress.getByName(address);
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.httpPort(), own, 0);
    socket.setSoTimeout(20_000);
    held.add(socket);
    socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static int ask(SidecarProcess sidecar, String path) throws IOException {
    return RawHttp.status(RawHttp.exchange(sidecar.httpPort(), "GET " + path, HOST, ""));
  }

  @Test
  void idleConnections_moreThanThereMayBe_keepNobodyOut() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--http-max-connections=32");
    for (int i = 0; i < 80; i++) {
      Socket socket =
          hold(sidecar.httpPort(), "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(socket.getInputStream().read()).as("connection " + i).isEqualTo('H');
    }
    for (int i = 0; i < 28; i++) {
      for (String path : List.of("/-/healthy", "/-/ready", "/metrics", "/api/v1/status")) {
        assertThat(ask(sidecar, path)).as("%s %s", path, i).isEqualTo(200);
      }
    }
  }

  @Test
  void slowHeaders_ofFourHundred_cutNoPoll() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    int cutOff = 0;
    for (int i = 0; i < 400; i++) {
      hold(sidecar.httpPort(), "GET /metrics HTTP/1.1\r\nX-Slow: ");
    }
    for (int poll = 0; poll < 129; poll++) {
      for (int i = 0; i < 3; i++) { // whoever was cut off comes again
        hold(sidecar.httpPort(), "GET /metrics HTTP/1.1\r\nX-Slow: ");
        held.remove(0).close();
      }
      cutOff += ask(sidecar, poll % 2 == 0 ? "/api/v1/status" : "/-/ready") == 200 ? 0 : 1;
    }
    assertThat(cutOff).isZero();
  }

  @Test
  void requestsThatNeverEnd_fillingAllPlaces_leaveProbesAndAScrapeIn() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--http-max-connections=8");
    String upload =
        "POST /api/v1/intervals?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n#";
    for (int i = 0; i < 8; i++) {
      hold(sidecar.httpPort(), upload);
    }
    String refused;
    do {
      refused = RawHttp.exchange(sidecar.httpPort(), "GET /api/v1/status", HOST, "");
    } while (RawHttp.status(refused) == 200); // until all eight have arrived
    assertThat(refused).startsWith("HTTP/1.1 503 ").contains("http.max-connections");
    assertThat(refused.toLowerCase(java.util.Locale.ROOT)).contains("\r\nretry-after: 1\r\n");

    for (int i = 0; i < 20; i++) {
      assertThat(ask(sidecar, "/-/healthy")).isEqualTo(200);
      assertThat(ask(sidecar, "/-/ready")).isEqualTo(200);
      assertThat(ask(sidecar, "/metrics")).isEqualTo(200);
    }
  }

  @Test
  void probes_thatComeAtOnceWhileAllPlacesAreTaken_areAllAnswered() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--http-max-connections=8");
    String upload =
        "POST /api/v1/intervals?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n#";
    for (int i = 0; i < 8; i++) {
      hold(sidecar.httpPort(), upload);
    }
    List<Socket> probes = new ArrayList<>();
    sidecar.signal("STOP"); // so that all have come before the first is read
    for (int i = 0; i < 60; i++) {
      probes.add(hold(sidecar.httpPort(), "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }
    sidecar.signal("CONT");

    for (Socket probe : probes) {
      assertThat(new String(probe.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void probes_thatComeBeforeMoreThanTheHeapHolds_areAnsweredIfTheirAddressHasFewer()
      throws Exception {
    SidecarProcess sidecar = processes.sidecarInJvm(List.of("-Xmx48m"), List.of());
    List<Socket> probes = new ArrayList<>();
    sidecar.signal("STOP");
    for (int i = 0; i < 4; i++) {
      probes.add(from("127.0.0.2", sidecar, "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }
    for (int i = 0; i < 800; i++) {
      from("127.0.0.1", sidecar, "");
    }
    sidecar.signal("CONT");

    for (Socket probe : probes) {
      assertThat(new String(probe.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  void requestsOfOneAddress_fillItsShare_leaveTheOthersTheirs() throws Exception {
    SidecarProcess sidecar =
        processes.sidecar(0, "--http-host=0.0.0.0", "--http-max-connections=8");
    String upload =
        "POST /api/v1/intervals?name=x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n#";
    for (int i = 0; i < 30; i++) {
      from("127.0.0.2", sidecar, upload);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(ask(sidecar, "/api/v1/status")).isEqualTo(200);
    }
  }
}
