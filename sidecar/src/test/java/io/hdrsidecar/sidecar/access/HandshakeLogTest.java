package io.hdrsidecar.sidecar.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandshakeLogTest {
  private final Logger logger = Logger.getLogger(HandshakeLog.class.getName());
  private final List<String> logged = new ArrayList<>();
  private final Handler capture =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(capture);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(capture);
  }

  @Test
  void failed_requestInTheClear_isToldWithoutItsBytes() {
    String request = "GET /metrics HTTP/1.1\r\nAuthorization: Bearer s3cret\r\n\r\n";
    String hex = HexFormat.of().formatHex(request.getBytes(StandardCharsets.US_ASCII));

    new HandshakeLog("http", () -> 0)
        .failed(new NotSslRecordException("not an SSL/TLS record: " + hex));

    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).contains("not an SSL/TLS record").doesNotContain(hex);
  }

  @Test
  void failed_againWithinAMinute_isToldOnce() {
    HandshakeLog log = new HandshakeLog("ingest", () -> 0);

    log.failed(new IllegalStateException("Empty client certificate chain"));
    log.failed(new IllegalStateException("Empty client certificate chain"));

    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).contains("Empty client certificate chain");
  }
}
