package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.http.Http2Request;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import java.util.Map;

/**
 * Requests that come by HTTP/2: those of gRPC, and those of OTLP/HTTP. Event loop of the server.
 */
final class Http2Requests {
  private final OtlpRequests requests;
  private final Access access;
  private final OtlpCounters counters;
  private final HeapShare bodies;
  private final int maxBody;

  /** The parameters are those of {@link OtlpRequests}. */
  Http2Requests(
      OtlpRequests requests, Access access, OtlpCounters counters, HeapShare bodies, int maxBody) {
    this.requests = requests;
    this.access = access;
    this.counters = counters;
    this.bodies = bodies;
    this.maxBody = maxBody;
  }

  /** Takes one, its body included, and answers it in its form. */
  void take(Http2Request request) {
    String type = request.header("content-type");
    boolean isGrpc = type != null && GrpcRequest.isType(type);
    OtlpHead head =
        OtlpHead.of(
            request.method(),
            request.path(),
            type,
            request.header(isGrpc ? "grpc-encoding" : "content-encoding"),
            request.header("authorization"));
    OtlpAnswer refused =
        !request.hasPlace()
            ? busy(isGrpc ? OtlpAnswer.PROTOBUF : head.type())
            : isGrpc ? GrpcRequest.refusal(head, access) : head.refusal(access);
    if (refused != null) {
      send(request, isGrpc, refused);
      return;
    }
    int most = isGrpc ? maxBody + GrpcRequest.PREFIX_BYTES : maxBody;
    RequestBody body = RequestBody.of(request, most, bodies);
    requests
        .take(
            body,
            isGrpc ? OtlpAnswer.PROTOBUF : head.type(),
            isGrpc
                ? (whole, limit, claim) ->
                    GrpcRequest.message(whole.stream(), whole.length(), head.isGzip(), limit, claim)
                : head::unpacked)
        .onComplete(
            answer -> send(request, isGrpc, answer),
            gone -> request.answer(500, Map.of(), null, Map.of()));
  }

  private static OtlpAnswer busy(String type) {
    return OtlpAnswer.refused(
        type,
        Result.FULL,
        503,
        "as many requests are being answered as may be, in all or for this address"
            + " (http.max-connections)");
  }

  private void send(Http2Request request, boolean isGrpc, OtlpAnswer answer) {
    counters.request(answer.result());
    counters.received(request.receivedBytes());
    if (isGrpc) {
      request.answer(
          200,
          GrpcRequest.headers(answer),
          GrpcRequest.message(answer),
          GrpcRequest.trailers(answer));
    } else {
      request.answer(answer.status(), answer.headers(), answer.body(), Map.of());
    }
  }
}
