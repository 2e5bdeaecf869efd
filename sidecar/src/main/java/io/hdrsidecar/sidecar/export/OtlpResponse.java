package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import io.hdrsidecar.sidecar.otlp.MalformedOtlpException;
import io.hdrsidecar.sidecar.otlp.WireReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The body of an answer. Numbers of fields:
 *
 * <pre>
 * ExportMetricsServiceResponse  1 partial_success
 * ExportMetricsPartialSuccess   1 rejected_data_points (int64)  2 error_message
 * google.rpc.Status             2 message
 * </pre>
 *
 * <p>One that cannot be read says nothing: the status of HTTP has said what matters.
 *
 * @param rejectedPoints of a request that was taken; 0 or more
 * @param message for people; may be empty
 */
record OtlpResponse(long rejectedPoints, String message) {
  /** Of a body of this media type. */
  static OtlpResponse of(String type, byte[] body) {
    if (!type.startsWith("application/x-protobuf")) {
      return new OtlpResponse(0, new String(body, StandardCharsets.UTF_8));
    }
    try {
      return read(new WireReader(body));
    } catch (MalformedOtlpException e) {
      return new OtlpResponse(0, "");
    }
  }

  private static OtlpResponse read(WireReader reader) throws MalformedOtlpException {
    long rejected = 0;
    String message = "";
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        OtlpResponse partial = partialSuccess(reader.message());
        rejected = partial.rejectedPoints;
        message = partial.message;
      } else if (reader.is(2, WireReader.BYTES)) {
        message = reader.text();
      } else {
        reader.skip();
      }
    }
    return new OtlpResponse(rejected, message);
  }

  private static OtlpResponse partialSuccess(WireReader reader) throws MalformedOtlpException {
    long rejected = 0;
    String message = "";
    while (reader.next()) {
      if (reader.is(1, WireReader.VARINT)) {
        rejected = Math.max(0, reader.rawVarint());
      } else if (reader.is(2, WireReader.BYTES)) {
        message = reader.text();
      } else {
        reader.skip();
      }
    }
    return new OtlpResponse(rejected, message);
  }

  /** What it says with a status of HTTP. */
  ExportAnswer answer(int status) {
    Result result = Result.of(status);
    if (result != Result.DELIVERED) {
      return ExportAnswer.of(result, ExportAnswer.problem(status, message));
    }
    return rejectedPoints == 0
        ? ExportAnswer.of(result, "")
        : new ExportAnswer(
            Result.PARTLY_DELIVERED,
            Duration.ZERO,
            rejectedPoints,
            ExportAnswer.shortened(message));
  }
}
