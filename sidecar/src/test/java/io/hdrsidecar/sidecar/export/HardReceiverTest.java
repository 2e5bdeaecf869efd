package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.export.Receiver.Answer;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Receivers that are hostile, slow or something else, a mistyped address, and clocks that jump. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HardReceiverTest {
  private final SeriesStore store = RunningExport.store();

  @BeforeEach
  void recordOne() throws Exception {
    Recorded.merge(store, "checkout", 1);
  }

  /** Answers one request with a head and then bytes without end; gives how many were taken. */
  private static long endless(ServerSocket server) throws IOException {
    byte[] some = "x".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = server.accept();
        OutputStream out = socket.getOutputStream()) {
      socket.getInputStream().read(new byte[1 << 16]);
      out.write(
          "HTTP/1.1 400 Bad\r\nRetry-After: 999999999999\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      for (long sent = 0; ; sent += some.length) {
        try {
          out.write(some);
        } catch (IOException e) {
          return sent; // As it should: the other side has ended the connection.
        }
      }
    }
  }

  @Test
  void answerWithoutEnd_endsTheConnectionSoon() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      URI address = URI.create("http://127.0.0.1:" + server.getLocalPort());
      try (RunningExport export = RunningExport.started(address, store, Map.of())) {
        assertThat(endless(server)).isLessThan(64 << 20); // Buffers of kernel and client.
        export.await("export.requests", "refused");
        assertThat(export.mostHeldBytes()).isLessThan(1 << 20);
      }
    }
  }

  /** Refused is not gone: a wait of years is one of minutes at most, and the end cuts it short. */
  @Test
  void waitOfYears_endsWithTheSidecar() throws Exception {
    try (Receiver receiver = new Receiver()) {
      receiver.then(new Answer(429, Map.of("Retry-After", "999999999999"), new byte[0], false));
      try (RunningExport export = RunningExport.started(receiver.address(), store, Map.of())) {
        export.await("export.requests", "throttled");
        assertThat(receiver.all()).hasSize(1);
        export.drain();
        assertThat(export.value("export.values", "")).isEqualTo(1);
      }
    }
  }

  /** One that takes the connection and says nothing: 200 ms, and the next attempt. */
  @Test
  void receiverThatSaysNothing_costsATimeout() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        RunningExport export =
            RunningExport.started(
                URI.create("http://127.0.0.1:" + server.getLocalPort()),
                store,
                Map.of("export.timeout", "200ms"))) {
      try (Socket first = server.accept();
          Socket second = server.accept()) {
        assertThat(first.isConnected() && second.isConnected()).isTrue();
        export.await("export.requests", "unanswered");
        assertThat(export.value("export.values", "")).isZero();
      }
    }
  }

  /** What the line export_fails says to one who mistyped the address. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "http://no-such-host.invalid:4318, unknown host no-such-host.invalid",
    "http://127.0.0.1:1, no connection",
    "http://127.0.0.1:PORT/api/v1/otlp, status 404",
  })
  void mistypedAddress_isSeenInTheProblem(String address, String problem) throws Exception {
    try (Receiver receiver = new Receiver()) {
      String mistyped = address.replace("PORT", String.valueOf(receiver.port()));
      ExportConfig config =
          SettingRecords.of(
              ExportConfig.class,
              Map.of(ExportConfig.OTLP_ADDRESS, mistyped),
              RunningExport.RESOURCE);
      ExportWire wire = new OtlpWire(config, "1.2.3", HeapClaim.unbounded());
      ExportClient client = new ExportClient(config, wire, "1.2.3", InstantSource.system());
      ExportRequest request = new ExportRequest(new byte[0], List.of(), 0);

      assertThat(client.send(request, Duration.ofSeconds(60)).problem()).contains(problem);
    }
  }

  /** A little back: one after the other. From far ahead: as the clock says. */
  @Test
  void timesOfPoints_growUnlessTheClockWasFarAhead() throws Exception {
    Instant start = Instant.parse("2026-11-25T12:00:00Z");
    AtomicReference<Instant> now = new AtomicReference<>(start);
    try (Receiver receiver = new Receiver();
        RunningExport export =
            RunningExport.started(receiver.address(), store, Map.of(), now::get)) {
      receiver.await(2);
      now.set(start.minus(Duration.ofMinutes(5)));
      receiver.await(receiver.all().size() + 2);
      now.set(start.plus(Duration.ofDays(365)));
      receiver.await(receiver.all().size() + 2);
      now.set(start);
      receiver.await(receiver.all().size() + 2);
      export.drain();

      List<Long> times =
          receiver.all().stream()
              .flatMap(Receiver.Came::points)
              .map(ExponentialHistogramDataPoint::getTimeUnixNano)
              .toList();
      long startNanos = start.getEpochSecond() * 1_000_000_000;
      assertThat(times.get(0)).isEqualTo(startNanos);
      assertThat(times.stream().filter(time -> time - startNanos < 1_000_000_000L).count())
          .isGreaterThanOrEqualTo(6);
      assertThat(times.subList(0, 4)).isSorted().doesNotHaveDuplicates();
      assertThat(times.get(times.size() - 1)).isBetween(startNanos, startNanos + 1_000_000_000);
    }
  }

  /** A request of 4 KiB at most, which the resource alone has more of, still gets a point. */
  @Test
  void resourceLargerThanARequest_stillSendsEachSeries() throws Exception {
    Recorded.merge(store, "cart", 1);
    try (Receiver receiver = new Receiver()) {
      receiver.then(Answer.of(413), Answer.of(413));
      try (RunningExport export =
          RunningExport.startedFor(
              receiver.address(), store, Map.of("process.command_line", "x".repeat(8 << 10)))) {
        List<Receiver.Came> all =
            receiver.await(
                came ->
                    came.stream()
                            .filter(Receiver.Came::isTaken)
                            .flatMap(Receiver.Came::metrics)
                            .map(metric -> metric.getName())
                            .distinct()
                            .count()
                        == 2);
        assertThat(all.get(all.size() - 1).points()).hasSize(1);
        assertThat(export.value("export.requests", "too_large")).isEqualTo(2);
      }
    }
  }

  @Test
  void receiverThatRejectsMoreThanItWasSent_isNotBelieved() throws Exception {
    byte[] partial =
        ExportMetricsServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportMetricsPartialSuccess.newBuilder().setRejectedDataPoints(Long.MAX_VALUE))
            .build()
            .toByteArray();
    Answer answer =
        new Answer(200, Map.of("Content-Type", "application/x-protobuf"), partial, false);
    try (Receiver receiver = new Receiver()) {
      receiver.then(answer, answer);
      try (RunningExport export = RunningExport.started(receiver.address(), store, Map.of())) {
        receiver.await(3);
        assertThat(export.value("export.rejected.points", "")).isEqualTo(2);
      }
    }
  }

  /** The clock was ahead when the series began: each point would begin it anew. */
  @Test
  void seriesOfTheFuture_hasOneStart() throws Exception {
    try (Receiver receiver = new Receiver();
        RunningExport export =
            RunningExport.started(
                receiver.address(),
                store,
                Map.of(),
                () -> Instant.now().minus(Duration.ofHours(1)))) {
      List<ExponentialHistogramDataPoint> points =
          receiver.await(3).stream().flatMap(Receiver.Came::points).toList();

      assertThat(points)
          .extracting(p -> p.getStartTimeUnixNano())
          .containsOnly(points.get(0).getStartTimeUnixNano());
      assertThat(points).allMatch(p -> p.getStartTimeUnixNano() < p.getTimeUnixNano());
      export.drain();
    }
  }
}
