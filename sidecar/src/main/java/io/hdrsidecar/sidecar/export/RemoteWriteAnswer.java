package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * What an answer to remote write 2.0 says. A header of it has how many histograms were written, of
 * an error, too: the rest of such a request was taken.
 *
 * <p>One of 2xx without that header comes from a receiver of remote write 1.0, which understood
 * nothing of the request.
 */
final class RemoteWriteAnswer {
  static final String WRITTEN = "X-Prometheus-Remote-Write-Histograms-Written";

  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private RemoteWriteAnswer() {}

  /**
   * Reads one.
   *
   * @param points how many histograms were in the request
   */
  static ExportAnswer of(int status, HttpHeaders headers, byte[] body, int points) {
    String text = new String(body, StandardCharsets.UTF_8);
    boolean isSuccess = status / 100 == 2;
    Optional<String> header = headers.firstValue(WRITTEN).filter(h -> h.matches("\\d{1,18}"));
    if (status == UNSUPPORTED_MEDIA_TYPE || (isSuccess && header.isEmpty())) {
      return ExportAnswer.of(Result.REFUSED, withoutVersion2(status, text));
    }
    long written = Math.min(points, header.map(Long::parseLong).orElse(0L));
    Result result = Result.of(status);
    if (isSuccess && written == points) {
      return ExportAnswer.of(Result.DELIVERED, "");
    }
    String some = "%d of %d histograms were written: %s".formatted(written, points, text);
    if (written > 0 && (isSuccess || result == Result.REFUSED)) {
      return new ExportAnswer(
          Result.PARTLY_DELIVERED,
          Duration.ZERO,
          points - written,
          ExportAnswer.problem(status, some));
    }
    if (isSuccess) {
      return ExportAnswer.of(
          Result.REFUSED,
          ExportAnswer.problem(status, "does the receiver take native histograms? " + some));
    }
    boolean isRepeatable = status >= 500 && result == Result.REFUSED;
    return ExportAnswer.of(
        isRepeatable ? Result.FAILED : result, ExportAnswer.problem(status, text));
  }

  private static String withoutVersion2(int status, String text) {
    String missing = status == UNSUPPORTED_MEDIA_TYPE ? "" : " without the header " + WRITTEN;
    return ExportAnswer.problem(
        status,
        "the receiver does not seem to know remote write 2.0"
            + missing
            + "; use a later version of it, or export.otlp.address if it takes OTLP: "
            + text);
  }
}
