package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import io.hdrsidecar.sidecar.otlp.MalformedOtlpException;
import io.hdrsidecar.sidecar.otlp.WireReader;
import java.nio.charset.StandardCharsets;

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
 * @param message for people, shortened; may be empty
 */
record OtlpResponse(long rejectedPoints, String message) {
  private static final int MOST_MESSAGE = 200;

  /** Of a body of this media type. */
  static OtlpResponse of(String type, byte[] body) {
    if (!type.startsWith("application/x-protobuf")) {
      return new OtlpResponse(0, shortened(new String(body, StandardCharsets.UTF_8)));
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
    return new OtlpResponse(rejected, shortened(message));
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

  private static String shortened(String message) {
    String text = message.strip();
    return text.length() <= MOST_MESSAGE ? text : text.substring(0, MOST_MESSAGE) + "...";
  }

  /** What it says of a request that was taken. */
  Result taken() {
    return rejectedPoints > 0 ? Result.PARTLY_DELIVERED : Result.DELIVERED;
  }

  /** In words, with the status of HTTP if it is an error. */
  String problem(int status) {
    if (status / 100 == 2) {
      return rejectedPoints > 0 ? message : "";
    }
    String hint =
        switch (status) {
          case 301, 302, 303, 307, 308 -> " (redirects are not followed)";
          case 404, 405 -> " (is the path right?)";
          default -> "";
        };
    return "status " + status + hint + (message.isEmpty() ? "" : ": " + message);
  }
}
