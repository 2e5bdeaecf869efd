package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.GrpcClient.framed;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.bounded;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.otlp.GrpcClient.Answer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What exporters are answered by gRPC at the port of OTLP/HTTP. Numbers of status codes are those
 * of gRPC's documentation, and which of them is sent those of OTLP's specification.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class OtlpGrpcTest {
  private static final int OK = 0;
  private static final int INVALID_ARGUMENT = 3;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int UNAVAILABLE = 14;
  private static final int UNAUTHENTICATED = 16;

  private static final String PROTOBUF = "application/x-protobuf";
  private static final byte[] GOOD =
      TakenRequests.request(explicit("a", true, bounded(1, 2, 3))).toByteArray();

  private final OtlpListener listener = new OtlpListener();
  private GrpcClient client = new GrpcClient(listener.vertx, listener.port());

  @AfterEach
  void stop() {
    listener.close();
  }

  private Answer refused(int status, Answer answer) {
    assertThat(answer.httpStatus()).isEqualTo(200);
    assertThat(answer.headers().get("content-type")).isEqualTo("application/grpc");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("grpc-message")).isNotBlank();
    assertThat(answer.body().length()).isZero();
    assertThat(listener.values()).isZero();
    return answer;
  }

  @Test
  void export_isMergedBeforeTheAnswer() throws Exception {
    Answer answer = client.export(framed(false, GOOD));

    assertThat(answer.httpStatus()).isEqualTo(200);
    assertThat(answer.headers().get("content-type")).isEqualTo("application/grpc");
    assertThat(answer.headers().contains("grpc-status")).isFalse();
    assertThat(answer.trailers().get("grpc-status")).isEqualTo("0");
    assertThat(ExportMetricsServiceResponse.parseFrom(answer.message()))
        .isEqualTo(ExportMetricsServiceResponse.getDefaultInstance());
    assertThat(listener.values()).isEqualTo(3);
    assertThat(listener.value("otlp.requests", "taken")).isEqualTo(1);
    assertThat(listener.value("otlp.received.bytes", null)).isEqualTo(5 + GOOD.length);
  }

  @Test
  void export_packed_isUnpacked_asTheMessageSays() throws Exception {
    assertThat(client.export(framed(true, gzip(GOOD)), "grpc-encoding", "gzip").status())
        .isEqualTo(OK);
    assertThat(client.export(framed(false, GOOD), "grpc-encoding", "gzip").status()).isEqualTo(OK);
    assertThat(listener.values()).isEqualTo(6);
  }

  @Test
  void export_aPartlyGoodRequest_saysHowManyAndWhy() throws Exception {
    byte[] request =
        TakenRequests.request(
                explicit("a", true, bounded(1, 2, 3)),
                explicit("bad", true, bounded(1, 2, 3).setCount(4)))
            .toByteArray();

    Answer answer = client.export(framed(false, request));

    var partial = ExportMetricsServiceResponse.parseFrom(answer.message()).getPartialSuccess();
    assertThat(answer.status()).isEqualTo(OK);
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(partial.getErrorMessage())
        .isEqualTo("bad_point: metric bad: count must be that of the buckets: 4 and 3");
    assertThat(listener.value("otlp.requests", "partly_taken")).isEqualTo(1);
  }

  @Test
  void export_damagedBytes_areInvalid() throws Exception {
    refused(INVALID_ARGUMENT, client.export(framed(false, Arrays.copyOf(GOOD, GOOD.length - 1))));
    refused(INVALID_ARGUMENT, client.export(framed(true, GOOD), "grpc-encoding", "gzip"));
    assertThat(refused(INVALID_ARGUMENT, client.export(framed(true, GOOD))).header("grpc-message"))
        .isEqualTo("grpc: message is packed (1), and grpc-encoding does not say how");
    assertThat(listener.value("otlp.requests", "bad")).isEqualTo(3);
  }

  @Test
  void export_anotherNumberOfMessagesThanOne_isToldSo() {
    Buffer one = framed(false, GOOD);
    refused(UNIMPLEMENTED, client.export(Buffer.buffer()));
    refused(UNIMPLEMENTED, client.export(one.copy().appendBuffer(one)));
    refused(INVALID_ARGUMENT, client.export(one.slice(0, 4)));
    refused(INVALID_ARGUMENT, client.export(one.slice(0, one.length() - 1)));
  }

  @Test
  void export_tooLong_packedOrUnpacked_isNotToComeAgain() throws Exception {
    Answer plain = refused(RESOURCE_EXHAUSTED, client.export(framed(false, new byte[100 << 10])));
    byte[] bomb = gzip(new byte[40 << 20]);
    assertThat(bomb.length).isLessThan(64 << 10);
    Answer packed =
        refused(RESOURCE_EXHAUSTED, client.export(framed(true, bomb), "grpc-encoding", "gzip"));

    // OTLP: only with RetryInfo would it be sent again.
    assertThat(plain.header("grpc-status-details-bin")).isNull();
    assertThat(packed.header("grpc-status-details-bin")).isNull();
    assertThat(listener.share.mostHeldBytes()).isLessThan(1 << 20);
    assertThat(listener.value("otlp.requests", "too_large")).isEqualTo(2);
    assertThat(client.export(framed(false, GOOD)).status()).isEqualTo(OK);
  }

  @Test
  void call_ofWhatIsNotThere_isUnimplemented() {
    for (String path :
        new String[] {
          "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
          "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
          "/opentelemetry.proto.collector.metrics.v1.MetricsService/Other",
          "/v1/metrics"
        }) {
      refused(
          UNIMPLEMENTED,
          client.call(HttpMethod.POST, path, "application/grpc", framed(false, GOOD)));
    }
    Answer zstd = client.export(framed(true, GOOD), "grpc-encoding", "zstd");
    refused(UNIMPLEMENTED, zstd);
    assertThat(zstd.header("grpc-accept-encoding")).isEqualTo("identity,gzip");
    refused(
        UNIMPLEMENTED,
        client.call(
            HttpMethod.POST, GrpcClient.EXPORT, "application/grpc+json", framed(false, GOOD)));
    assertThat(listener.value("otlp.requests", "unsupported")).isEqualTo(6);
  }

  @Test
  void export_withoutTheToken_isUnauthenticated(@TempDir Path folder) throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens"), "secret\n");
    client = new GrpcClient(listener.vertx, listener.another(tokens));

    refused(UNAUTHENTICATED, client.export(framed(false, GOOD)));
    refused(UNAUTHENTICATED, client.export(framed(false, GOOD), "authorization", "Bearer wrong"));
    assertThat(client.export(framed(false, GOOD), "authorization", "Bearer secret").status())
        .isEqualTo(OK);
    assertThat(listener.values()).isEqualTo(3);
  }

  @Test
  void export_whileThereIsNoRoomForABody_isUnavailable() throws Exception {
    client.call(HttpMethod.GET, "/", "", Buffer.buffer()); // The connection has its room.
    long others = listener.share.freeBytes() - (20 << 10);
    assertThat(listener.share.tryTake(others)).isTrue();

    refused(UNAVAILABLE, client.export(framed(false, GOOD)));

    listener.share.release(others);
    assertThat(client.export(framed(false, GOOD)).status()).isEqualTo(OK);
    assertThat(listener.value("otlp.requests", "full")).isEqualTo(1);
  }

  @Test
  void message_ofAnError_isEncodedAsGrpcWantsIt() {
    byte[] request = GOOD.clone();
    request[request.length - 1] = (byte) 0xff;

    String message =
        refused(INVALID_ARGUMENT, client.export(framed(false, request))).header("grpc-message");

    assertThat(message).matches("[ -~]+");
  }

  /** What HTTP/1 is answered with 503 for. */
  @Test
  void export_whileAllPlacesAreTaken_isUnavailable() throws Exception {
    try (OtlpListener small = new OtlpListener(Map.of("http.max-connections", "1"));
        RawHttp2 peer = new RawHttp2(small.port()).begin().call(1)) {
      Answer answer = new GrpcClient(small.vertx, small.port()).export(framed(false, GOOD));

      assertThat(answer.status()).isEqualTo(UNAVAILABLE);
      assertThat(answer.header("grpc-message")).contains("http.max-connections");
      assertThat(small.value("otlp.requests", "full")).isEqualTo(1);
      peer.send(RawHttp2.RST_STREAM, 0, 1, new byte[] {0, 0, 0, RawHttp2.CANCEL});
      while (new GrpcClient(small.vertx, small.port()).export(framed(false, GOOD)).status() != OK) {
        Thread.onSpinWait(); // until it was read, or the test times out
      }
    }
  }

  /** Clients are told to go elsewhere, and what they had begun is still taken. */
  @Test
  void export_thatHadBegunWhenTheServerEnds_isAnswered_thenTheConnectionEnds() throws Exception {
    byte[] body = framed(false, GOOD).getBytes();
    try (RawHttp2 idle = new RawHttp2(listener.port()).begin();
        RawHttp2 peer = new RawHttp2(listener.port()).begin().call(1)) {
      peer.send(RawHttp2.DATA, 0, 1, Arrays.copyOf(body, 10)).awaitPong();
      idle.awaitPong();

      Future<?> end = listener.finish();
      RawHttp2.Frame away = peer.next();
      peer.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, Arrays.copyOfRange(body, 10, body.length));

      assertThat(away.type()).isEqualTo(RawHttp2.GOAWAY);
      assertThat(away.error()).isEqualTo(RawHttp2.NO_ERROR);
      assertThat(peer.next().type()).isEqualTo(RawHttp2.HEADERS);
      assertThat(peer.next().type()).isEqualTo(RawHttp2.DATA);
      assertThat(peer.next().flags() & RawHttp2.END_STREAM).isOne();
      assertThat(peer.end()).isEqualTo(-1);
      assertThat(idle.end()).isEqualTo(RawHttp2.NO_ERROR);
      end.await();
    }
    assertThat(listener.values()).isEqualTo(3);
  }

  /** Who encrypts may be given HTTP/2 without having asked for gRPC. */
  @Test
  void http_byHttp2_isAnsweredAsByHttp1() {
    Answer good = client.call(HttpMethod.POST, "/v1/metrics", PROTOBUF, Buffer.buffer(GOOD));
    assertThat(good.httpStatus()).isEqualTo(200);
    assertThat(good.headers().get("content-type")).isEqualTo(PROTOBUF);
    assertThat(good.body().length()).isZero();
    assertThat(good.status()).isEqualTo(-1);
    assertThat(listener.values()).isEqualTo(3);

    Answer bad =
        client.call(HttpMethod.POST, "/v1/metrics?a=b", "application/json", Buffer.buffer("{"));
    assertThat(bad.httpStatus()).isEqualTo(400);
    assertThat(new JsonObject(bad.body()).getInteger("code")).isEqualTo(3);
    Answer get = client.call(HttpMethod.GET, "/v1/metrics", PROTOBUF, Buffer.buffer());
    assertThat(get.httpStatus()).isEqualTo(405);
    assertThat(get.headers().get("allow")).isEqualTo("POST");
    Answer traces = client.call(HttpMethod.POST, "/v1/traces", PROTOBUF, Buffer.buffer(GOOD));
    assertThat(traces.httpStatus()).isEqualTo(404);
    Answer text = client.call(HttpMethod.POST, "/v1/metrics", "text/plain", Buffer.buffer(GOOD));
    assertThat(text.httpStatus()).isEqualTo(415);
  }

  /** Its first byte is also that of HTTP/2. */
  @Test
  void http1_thatComesByteByByte_isStillHttp1() throws Exception {
    String head =
        "POST /v1/metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
            + PROTOBUF
            + "\r\nContent-Length: "
            + GOOD.length
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      for (byte each : head.getBytes(StandardCharsets.US_ASCII)) {
        out.write(each);
        out.flush();
      }
      out.write(GOOD);
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 OK\r\n");
    }
    assertThat(listener.values()).isEqualTo(3);
  }

  /** An upgrade within HTTP/1 would have no limits of ours, and is no way to HTTP/2 here. */
  @Test
  void http1_thatAsksForAnUpgrade_staysHttp1() throws Exception {
    String head =
        "GET /v1/metrics HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings"
            + "\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(13);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 405 ");
    }
  }
}
