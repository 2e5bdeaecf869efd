package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The form that gRPC gives to a request of OTLP and to its answer, in HTTP/2. */
final class GrpcRequest {
  /** The one method that there is. */
  static final String PATH = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";

  /** In front of each message: whether it is packed, and its length. */
  static final int PREFIX_BYTES = 5;

  private static final String TYPE = "application/grpc";
  private static final List<String> TYPES = List.of(TYPE, TYPE + "+proto");
  private static final String STATUS = "grpc-status";

  private GrpcRequest() {}

  /** Whether a request with such a header {@code content-type} is one of gRPC. */
  static boolean isType(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).startsWith(TYPE);
  }

  /**
   * What is wrong with one before its message is read; null for nothing.
   *
   * @param head with the encoding of messages
   */
  static @Nullable OtlpAnswer refusal(OtlpHead head, Access access) {
    if (!head.path().equals(PATH) || !head.method().equals("POST")) {
      return unimplemented("metrics are taken by " + PATH + " only");
    }
    OtlpAnswer unauthorized = head.unauthorized(access);
    if (unauthorized != null) {
      return unauthorized;
    }
    if (!TYPES.contains(head.type())) {
      return unimplemented("content-type must be one of " + String.join(", ", TYPES));
    }
    return head.isReadable() ? null : unimplemented("grpc-encoding must be gzip, or none");
  }

  private static OtlpAnswer unimplemented(String problem) {
    return OtlpAnswer.refused(OtlpAnswer.PROTOBUF, Result.UNSUPPORTED, 501, problem);
  }

  /**
   * The message of a request, unpacked.
   *
   * @param sent its body
   * @param length of the body
   * @param isGzip whether what is packed is packed with gzip
   * @throws ApiException when there is not one message, as gRPC wants it to be answered
   */
  static OtlpBody message(InputStream sent, int length, boolean isGzip, int most, HeapClaim claim)
      throws ApiException, MalformedOtlpException, OtlpBody.TooLargeException {
    if (length == 0) {
      throw new ApiException(501, "bad_data", "there must be one message, and there is none");
    }
    if (length < PREFIX_BYTES) {
      throw new MalformedOtlpException("grpc: ends in the prefix of its message");
    }
    int packed;
    long told;
    try {
      DataInputStream prefix = new DataInputStream(sent);
      packed = prefix.readUnsignedByte();
      told = Integer.toUnsignedLong(prefix.readInt());
    } catch (IOException e) {
      throw new MalformedOtlpException("grpc: " + e.getMessage());
    }
    int there = length - PREFIX_BYTES;
    if (told > most) {
      throw new OtlpBody.TooLargeException(most);
    }
    if (told < there) {
      throw new ApiException(501, "bad_data", "there must be one message, and there are more");
    }
    if (told > there) {
      throw new MalformedOtlpException(
          "grpc: message must have " + told + " bytes, as its prefix says: has " + there);
    }
    if (packed > 1 || (packed == 1 && !isGzip)) {
      throw new MalformedOtlpException(
          "grpc: message is packed (" + packed + "), and grpc-encoding does not say how");
    }
    return OtlpBody.read(sent, packed == 1, most, claim);
  }

  /** The headers of an answer, which are all of it if it is an error. */
  static Map<String, String> headers(OtlpAnswer answer) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", TYPE);
    headers.put("grpc-accept-encoding", "identity,gzip");
    if (answer.code() != 0) {
      headers.put(STATUS, String.valueOf(answer.code()));
      headers.put("grpc-message", percentEncoded(answer.message()));
    }
    return headers;
  }

  /** The message of an answer with its prefix; null for an error. */
  static byte @Nullable [] message(OtlpAnswer answer) {
    byte[] body = answer.body();
    return answer.code() != 0
        ? null
        : ByteBuffer.allocate(PREFIX_BYTES + body.length)
            .put((byte) 0)
            .putInt(body.length)
            .put(body)
            .array();
  }

  /** What comes behind the message. */
  static Map<String, String> trailers(OtlpAnswer answer) {
    return answer.code() != 0 ? Map.of() : Map.of(STATUS, "0");
  }

  /** All but what can be printed as it is, and the percent sign. */
  private static String percentEncoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each >= ' ' && each <= '~' && each != '%') {
        encoded.append((char) each);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", each));
      }
    }
    return encoded.toString();
  }
}
