package io.hdrsidecar.sidecar.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.hdrsidecar.sidecar.support.WatchedLog;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are cut before they have said anything, as those of a health check may be. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CutConnectionTest {
  /** A record of TLS that says it is longer than what comes of it. */
  private static final byte[] BEGUN_RECORD = {22, 3, 1, 2, 0, 1};

  @Test
  void connection_cutWithinItsFirstHeaders_isNoFailedHandshake() throws Exception {
    assertNothingToWarnOf(Map.of(), "GET / HT".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void connection_cutWithinItsHandshake_isNoFailedOne(@TempDir Path made) throws Exception {
    TestCertificates certificates = new TestCertificates(made);
    certificates.authority("ca");
    Pair own = certificates.issue("server", "ca");
    assertNothingToWarnOf(
        Map.of(
            "--http-tls", "on",
            "--tls-certificate", own.certificate().toString(),
            "--tls-key", own.key().toString()),
        BEGUN_RECORD);
  }

  private static void assertNothingToWarnOf(Map<String, String> flags, byte[] sent)
      throws Exception {
    Map<String, String> all = new HashMap<>(flags);
    all.putAll(Map.of("--ingest-port", "0", "--http-port", "0"));
    try (WatchedLog log = new WatchedLog(Access.class.getName());
        Sidecar sidecar = Sidecar.start(ConfigLoader.load(all, Map.of(), null))) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.httpAddress().getPort());
      socket.getOutputStream().write(sent);
      socket.setSoLinger(true, 0); // a reset, in place of an orderly end
      socket.close();

      List<String> lines = log.from(Level.FINE);
      while (lines.isEmpty()) {
        LockSupport.parkNanos(1_000_000); // the time limit of the test ends it
        lines = log.from(Level.FINE);
      }
      assertThat(lines).allMatch(line -> line.startsWith("event=connection_cut "));
      assertThat(log.from(Level.WARNING)).isEmpty();
    }
  }
}
