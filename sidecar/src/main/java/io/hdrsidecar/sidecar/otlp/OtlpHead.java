package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request says before its body. Immutable.
 *
 * @param method in upper case
 * @param path without the query
 * @param type media type without parameters, in lower case; empty for none
 * @param encoding in lower case; {@code identity} for none
 * @param authorization the header, null without one
 */
record OtlpHead(
    String method, String path, String type, String encoding, @Nullable String authorization) {
  /** Where metrics are taken by HTTP. */
  static final String PATH = "/v1/metrics";

  private static final String IDENTITY = "identity";
  private static final String GZIP = "gzip";

  /** From the headers as they are. */
  static OtlpHead of(
      String method,
      String path,
      @Nullable String contentType,
      @Nullable String contentEncoding,
      @Nullable String authorization) {
    int query = path.indexOf('?');
    return new OtlpHead(
        method,
        query < 0 ? path : path.substring(0, query),
        mediaType(contentType),
        contentEncoding == null || contentEncoding.isBlank()
            ? IDENTITY
            : contentEncoding.strip().toLowerCase(Locale.ROOT),
        authorization);
  }

  private static String mediaType(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType;
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  boolean isGzip() {
    return encoding.equals(GZIP);
  }

  /** Whether its encoding is one that is taken. */
  boolean isReadable() {
    return List.of(GZIP, IDENTITY).contains(encoding);
  }

  /** The body of a request by HTTP, unpacked. */
  OtlpBody unpacked(RequestBody body, int most, HeapClaim claim)
      throws MalformedOtlpException, OtlpBody.TooLargeException {
    return OtlpBody.read(body.stream(), isGzip(), most, claim);
  }

  /** What is wrong with a request by HTTP before its body is read; null for nothing. */
  @Nullable OtlpAnswer refusal(Access access) {
    if (!PATH.equals(path)) {
      return OtlpAnswer.refused(
          type, Result.UNSUPPORTED, 404, "metrics are taken at " + PATH + " only");
    }
    if (!method.equals("POST")) {
      return OtlpAnswer.refused(type, Result.UNSUPPORTED, 405, "must be POST");
    }
    OtlpAnswer unknown = unauthorized(access);
    if (unknown != null) {
      return unknown;
    }
    if (!type.equals(OtlpAnswer.PROTOBUF) && !type.equals(OtlpAnswer.JSON)) {
      return OtlpAnswer.refused(
          type,
          Result.UNSUPPORTED,
          415,
          "Content-Type must be " + OtlpAnswer.PROTOBUF + " or " + OtlpAnswer.JSON);
    }
    return isReadable()
        ? null
        : OtlpAnswer.refused(
            type, Result.UNSUPPORTED, 415, "Content-Encoding must be gzip, or none");
  }

  /** An answer to a sender without a token, or with a wrong one; null if it is one. */
  @Nullable OtlpAnswer unauthorized(Access access) {
    return access.admitsHeader(authorization)
        ? null
        : OtlpAnswer.refused(
            type, Result.UNAUTHORIZED, 401, "bearer token missing or wrong (otlp.token-file)");
  }
}
