package io.hdrsidecar.benchmarks.peers.application;

import io.hdrsidecar.benchmarks.peers.Peer;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The application: {@code Application PEER ADDRESS TELEMETRY-PORT BESIDE-PID RATE SERIES WARM-UP
 * SECONDS}.
 *
 * <p>Says {@code ready} with its page or a dash, {@code warm} and {@code measured} with a {@link
 * Mark}. Then it stays, since it may have to be scraped, until its input ends.
 */
public final class Application {
  private Application() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    Peer peer = Peer.valueOf(args[0]);
    int series = Integer.parseInt(args[5]);
    try (EventTarget target = target(peer, args[1], Integer.parseInt(args[2]), series)) {
      OpenLoop loop = new OpenLoop(target, Values.table(), series, Long.parseLong(args[4]));
      @Nullable URI metrics = target.metrics();
      System.out.println("ready " + (metrics == null ? "-" : metrics));
      long beside = Long.parseLong(args[3]);
      loop.run(
          seconds(args[6]),
          seconds(args[7]),
          (what, done) -> System.out.println(what + " " + Mark.now(done, beside)));
      System.in.readAllBytes();
    }
  }

  private static long seconds(String text) {
    return TimeUnit.SECONDS.toNanos(Long.parseLong(text));
  }

  private static EventTarget target(Peer peer, String address, int telemetryPort, int series)
      throws IOException {
    return switch (peer) {
      case NONE -> new NoTarget();
      case HDR_SIDECAR -> new HdrSidecarTarget(address, series);
      case STATSD_UDP, STATSD_UNIX -> new DogStatsdTarget(address, telemetryPort, series);
      case OTLP -> new OtlpTarget(address, series);
      case MICROMETER -> new MicrometerTarget(series);
      case CLIENT_JAVA -> new ClientJavaTarget(series);
    };
  }
}
