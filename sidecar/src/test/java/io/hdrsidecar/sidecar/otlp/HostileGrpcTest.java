package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.GrpcClient.framed;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.otlp.RawHttp2.Frame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Peers by HTTP/2 that want to cost much: what they hold is bounded and counted, they are cut off,
 * and the next good request is taken. Nothing is held when all are gone.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HostileGrpcTest {
  private static final byte[] GOOD =
      TakenRequests.request(explicit("a", true, bounded(1, 2, 3))).toByteArray();
  private static final byte[] CANCEL = {0, 0, 0, RawHttp2.CANCEL};

  /** Where who is slow is cut off soon; elsewhere a slow machine would be, too. */
  private static final Map<String, String> SOON =
      Map.of(
          "http.header-timeout", "1s",
          "http.request-timeout", "2s",
          "http.idle-timeout", "1s");

  private final OtlpListener listener = new OtlpListener();

  @AfterEach
  void stop() throws Exception {
    try {
      assertThat(
              new GrpcClient(listener.vertx, listener.port()).export(framed(false, GOOD)).status())
          .isZero();
    } finally {
      listener.close();
    }
  }

  private RawHttp2 peer() throws Exception {
    return peer(listener);
  }

  private static RawHttp2 peer(OtlpListener of) throws Exception {
    return new RawHttp2(of.port()).begin();
  }

  @Test
  void silence_fromTheBeginning_isCutOff() throws Exception {
    try (OtlpListener soon = new OtlpListener(SOON);
        RawHttp2 nothing = new RawHttp2(soon.port());
        RawHttp2 prefaceOnly = peer(soon);
        RawHttp2 halfHeaders = peer(soon).send(RawHttp2.HEADERS, 0, 1, RawHttp2.callHeaders())) {
      assertThat(nothing.end()).isEqualTo(-1);
      assertThat(prefaceOnly.end()).isEqualTo(-1);
      assertThat(halfHeaders.end()).isEqualTo(-1);
      assertThat(soon.closed("too_slow")).isEqualTo(3);
    }
  }

  @Test
  void pings_insteadOfRequests_giveNoMoreTime() throws Exception {
    try (OtlpListener soon = new OtlpListener(SOON);
        RawHttp2 peer = peer(soon)) {
      while (peer.trySend(RawHttp2.PING, 0, 0, new byte[8])) {
        Thread.sleep(20); // Slower than what is too many; until the test times out.
      }
      assertThat(soon.closed("too_slow")).isEqualTo(1);
    }
  }

  @Test
  void message_thatNeverEnds_isAnsweredAndCutAtTheLimit() throws Exception {
    try (RawHttp2 peer = peer().call(1)) {
      byte[] piece = new byte[1024];
      piece[1] = 0x7f; // Two gigabytes to come.
      int sent = 0;
      Frame frame = null;
      while (frame == null || frame.type() != RawHttp2.RST_STREAM) {
        if (frame == null && sent < 200) {
          peer.send(RawHttp2.DATA, 0, 1, piece);
          sent++;
        } else {
          frame = peer.next();
          if (frame.type() == RawHttp2.HEADERS) {
            assertThat(frame.flags() & RawHttp2.END_STREAM).isOne();
          }
        }
      }
      assertThat(frame.error()).isEqualTo(RawHttp2.NO_ERROR);
    }
    assertThat(listener.value("otlp.requests", "too_large")).isEqualTo(1);
    assertThat(listener.share.mostHeldBytes()).isLessThan(200 << 10);
  }

  @Test
  void body_thatTrickles_isReset_andCounted() throws Exception {
    try (OtlpListener soon = new OtlpListener(SOON);
        RawHttp2 peer = peer(soon).call(1).send(RawHttp2.DATA, 0, 1, new byte[] {0})) {
      Frame reset = peer.next();
      assertThat(reset.type()).isEqualTo(RawHttp2.RST_STREAM);
      assertThat(reset.error()).isEqualTo(RawHttp2.CANCEL);
      assertThat(soon.closed("too_slow")).isEqualTo(1);
    }
  }

  /** It has never said that it read how many it may have. */
  @Test
  void streams_moreThanAllowed_areRefused_thenTheConnectionEnds() throws Exception {
    try (RawHttp2 peer = peer()) {
      int stream = 1;
      while (stream < 10_000
          && peer.trySend(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.callHeaders())) {
        stream += 2;
      }
      Frame refused = peer.next();
      assertThat(refused.type()).isEqualTo(RawHttp2.RST_STREAM);
      assertThat(refused.error()).isEqualTo(RawHttp2.REFUSED_STREAM);
      assertThat(refused.stream()).isEqualTo(1 + 2 * 32);
      assertThat(peer.end()).isIn(RawHttp2.ENHANCE_YOUR_CALM, -1); // It may be lost in a reset.
    }
    assertThat(listener.closed("too_many")).isEqualTo(1);
    assertThat(listener.share.mostHeldBytes()).isLessThan(1 << 20);
  }

  /** CVE-2023-44487. */
  @Test
  void streams_thatAreResetAtOnce_endTheConnection() throws Exception {
    try (RawHttp2 peer = peer()) {
      int stream = 1;
      while (stream < 100_000
          && peer.trySend(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.callHeaders())
          && peer.trySend(RawHttp2.RST_STREAM, 0, stream, CANCEL)) {
        stream += 2;
      }
      assertThat(stream).isLessThan(100_000);
      assertThat(peer.end()).isIn(RawHttp2.ENHANCE_YOUR_CALM, -1); // It may be lost in a reset.
    }
    assertThat(listener.closed("too_many")).isEqualTo(1);
  }

  @Test
  void headers_withoutEnd_areNotKept() throws Exception {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    while (block.size() < 16_000) {
      RawHttp2.header(block, "x-header", "v".repeat(100));
    }
    try (RawHttp2 peer = peer().send(RawHttp2.HEADERS, 0, 1, RawHttp2.callHeaders())) {
      int frames = 0;
      while (frames < 1000 && peer.trySend(RawHttp2.CONTINUATION, 0, 1, block.toByteArray())) {
        frames++;
      }
      assertThat(frames).isLessThan(1000);
      peer.end();
    }
    assertThat(listener.share.mostHeldBytes()).isLessThan(200 << 10);
  }

  @Test
  void headers_largerThanTheLimit_areAnswered431() throws Exception {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(RawHttp2.callHeaders());
    while (block.size() < 13_000) { // 18 kB as RFC 9113 reckons them.
      RawHttp2.header(block, "x-header", "v".repeat(50));
    }
    try (RawHttp2 peer =
        peer().send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, block.toByteArray())) {
      Frame answer = peer.next();
      assertThat(answer.type()).isEqualTo(RawHttp2.HEADERS);
      assertThat(new String(answer.payload().array(), StandardCharsets.US_ASCII)).contains("431");
    }
  }

  /** It reads none of the answers, so they would pile up. */
  @Test
  void pings_whoseAnswersNobodyReads_endTheConnection() throws Exception {
    try (RawHttp2 peer = peer()) {
      long sent = 0;
      while (sent < 100_000_000 && peer.trySend(RawHttp2.PING, 0, 0, new byte[8])) {
        sent++;
      }
      assertThat(sent).isLessThan(100_000_000);
    }
    assertThat(listener.closed("too_many") + listener.closed("too_slow")).isEqualTo(1);
  }

  @Test
  void connections_moreThanThereIsRoomFor_leaveInTurn() throws Exception {
    List<RawHttp2> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        RawHttp2 peer = peer(); // It may have to leave before its call is sent whole.
        peers.add(peer);
        if (peer.trySend(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.callHeaders())) {
          peer.trySend(RawHttp2.DATA, 0, 1, new byte[] {0});
        }
      }
      while (listener.closed("too_many") == 0) {
        Thread.sleep(10); // until it has come to the last of them, or the test times out
      }
      assertThat(listener.share.mostHeldBytes()).isLessThan(listener.share.maxBytes());
    } finally {
      for (RawHttp2 peer : peers) {
        peer.close();
      }
    }
    while (listener.share.heldBytes() > 0) {
      Thread.sleep(10); // until it has seen that they left, or the test times out
    }
  }
}
