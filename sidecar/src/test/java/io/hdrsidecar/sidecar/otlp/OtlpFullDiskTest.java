package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.GrpcClient.framed;
import static io.hdrsidecar.sidecar.otlp.TakenRequests.explicit;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.SmallDisk;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The journal is on a real disk that is full, and must be written: exporters are told to come
 * again, do so, and all is counted, also after a restart.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class OtlpFullDiskTest {
  private static final long VALUES = 3;

  /** Of gRPC. */
  private static final int UNAVAILABLE = 14;

  @RegisterExtension final SmallDisk disk = SmallDisk.of("1m");

  private long startNanos;
  private int points;

  private OtlpSidecar sidecar() throws Exception {
    return new OtlpSidecar(
        "--journal-directory", disk.folder().resolve("journal").toString(),
        "--journal-degrade", "refuse",
        "--journal-rotate-size", "64KiB",
        "--journal-retain-size", "256KiB");
  }

  /** The next point: of three values more than before, in all or since the point before. */
  private byte[] next(boolean isDelta) {
    if (points == 0) {
      startNanos = System.currentTimeMillis() * 1_000_000; // after the sidecar's start
    }
    points++;
    long begin = startNanos + (isDelta ? points - 1 : 0) * 1_000_000L;
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(begin)
            .setTimeUnixNano(startNanos + points * 1_000_000L)
            .setCount(isDelta ? VALUES : VALUES * points)
            .addBucketCounts(isDelta ? VALUES : VALUES * points);
    return TakenRequests.request(explicit("a", isDelta, point)).toByteArray();
  }

  @Test
  void cumulative_isCountedOnce_whenThereIsRoomAgain() throws Exception {
    try (OtlpSidecar sidecar = sidecar()) {
      assertThat(sidecar.post(next(false))).isEqualTo(200);
      disk.fill();
      while (sidecar.post(next(false)) == 200) {
        assertThat(points).isLessThan(100_000); // until the last of the room is used
      }
      assertThat(sidecar.post(next(false))).isEqualTo(503);
      Files.delete(disk.ballast());
      awaitTaken(sidecar, next(false));

      assertThat(sidecar.count("a")).isEqualTo(VALUES * points);
    }
    try (OtlpSidecar after = sidecar()) {
      assertThat(after.count("a")).isEqualTo(VALUES * points);
    }
  }

  /** By gRPC, too: UNAVAILABLE is sent again by exporters. */
  @Test
  void grpc_isTakenWhenThereIsRoomAgain() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (OtlpSidecar sidecar = sidecar()) {
      GrpcClient client = new GrpcClient(vertx, sidecar.port());
      assertThat(client.export(framed(false, next(false))).status()).isZero();
      disk.fill();
      while (sidecar.post(next(false)) == 200) {
        assertThat(points).isLessThan(100_000); // until the last of the room is used
      }
      assertThat(client.export(framed(false, next(false))).status()).isEqualTo(UNAVAILABLE);
      Files.delete(disk.ballast());
      Buffer last = framed(false, next(false));
      int status = client.export(last).status();
      while (status == UNAVAILABLE) {
        status = client.export(last).status();
      }

      assertThat(status).isZero();
      assertThat(sidecar.count("a")).isEqualTo(VALUES * points);
    } finally {
      vertx.close().await();
    }
  }

  /** The one that was merged when the disk became full may count twice, and none after it. */
  @Test
  void delta_thatWasTaken_isCounted_andWhatIsRefusedIsNot() throws Exception {
    try (OtlpSidecar sidecar = sidecar()) {
      disk.fill();
      byte[] request = next(true);
      while (sidecar.post(request) == 200) {
        request = next(true);
        assertThat(points).isLessThan(100_000); // until the last of the room is used
      }
      for (int i = 0; i < 3; i++) {
        assertThat(sidecar.post(request)).isEqualTo(503);
      }
      Files.delete(disk.ballast());
      awaitTaken(sidecar, request);

      assertThat(sidecar.count("a")).isBetween(VALUES * points, VALUES * (points + 1));
    }
    try (OtlpSidecar after = sidecar()) {
      assertThat(after.count("a")).isBetween(VALUES * points, VALUES * (points + 1));
    }
  }

  /** As an exporter does. */
  private static void awaitTaken(OtlpSidecar sidecar, byte[] request) throws Exception {
    int status = sidecar.post(request);
    while (status == 503) {
      status = sidecar.post(request);
    }
    assertThat(status).isEqualTo(200);
  }
}
