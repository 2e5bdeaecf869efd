package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an answer to a request with three histograms means. */
final class RemoteWriteAnswerTest {
  private static ExportAnswer answer(int status, String written, String body) {
    Map<String, List<String>> headers =
        written == null
            ? Map.of()
            : Map.of("x-prometheus-remote-write-histograms-written", List.of(written));
    return RemoteWriteAnswer.of(
        status,
        HttpHeaders.of(headers, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8),
        3);
  }

  @ParameterizedTest(name = "{0} with {1} of 3")
  @CsvSource({
    "200, 3, DELIVERED, 0",
    "204, 3, DELIVERED, 0",
    "204, 99, DELIVERED, 0",
    "200, 1, PARTLY_DELIVERED, 2",
    "400, 2, PARTLY_DELIVERED, 1",
    "400, 3, PARTLY_DELIVERED, 0", // An exemplar out of order.
    "204, 0, REFUSED, 0",
    "204, , REFUSED, 0",
    "204, many, REFUSED, 0",
    "400, 0, REFUSED, 0",
    "401, , REFUSED, 0",
    "302, , REFUSED, 0",
    "415, , REFUSED, 0",
    "413, , TOO_LARGE, 0",
    "429, 2, THROTTLED, 0",
    "503, , THROTTLED, 0",
    "500, 0, FAILED, 0",
    "501, , FAILED, 0",
    "502, , FAILED_BETWEEN, 0",
    "504, 3, FAILED_BETWEEN, 0",
  })
  void result_isThatOfStatusAndHeader(int status, String written, String result, long rejected) {
    ExportAnswer answer = answer(status, written, "");

    assertThat(answer.result()).hasToString(result);
    assertThat(answer.rejectedPoints()).isEqualTo(rejected);
  }

  /** What the line export_fails says, and what to do. */
  @ParameterizedTest(name = "{0} with {1} of 3")
  @CsvSource({
    "200, , remote write 2.0, X-Prometheus-Remote-Write-Histograms-Written, export.otlp.address",
    "415, , status 415, remote write 2.0, export.otlp.address",
    "204, 0, native histograms, 0 of 3, out of order",
    "400, 1, status 400, 1 of 3, out of order",
    "500, , status 500, out, of order",
    "404, , status 404, path, out of order",
  })
  void problem_saysWhatToDo(int status, String written, String first, String second, String third) {
    assertThat(answer(status, written, "out of order\n").problem()).contains(first, second, third);
  }

  @ParameterizedTest
  @CsvSource({"200, 3", "204, 3"})
  void problem_isNone(int status, String written) {
    assertThat(answer(status, written, "fine").problem()).isEmpty();
  }
}
