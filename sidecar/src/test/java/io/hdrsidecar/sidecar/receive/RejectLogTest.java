package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.logs.LogFormat;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log line of what is refused names a client. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RejectLogTest {
  private static final long MINUTE = 60_000_000_000L;

  private final Logger logger = Logger.getLogger(RejectLog.class.getName());
  private final Lines lines = new Lines();

  @BeforeEach
  void listen() {
    logger.addHandler(lines);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(lines);
  }

  /** A line as the log has it, from its event on. */
  private static final class Lines extends Handler {
    private final List<String> written = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord log) {
      String line =
          Logging.line(LogFormat.LOGFMT, RejectLog.class, log.getMessage(), log.getParameters());
      written.add(line.substring(line.indexOf("event=")));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void series_refused_namesItsClient() throws Exception {
    InstanceId instance = InstanceId.random();
    try (RunningServer sidecar = new RunningServer();
        FrameClient client = sidecar.connect()) {
      client.hello(instance, "app", "shop");
      client.series(1, definition("x", "app", "another"));
      assertThat(client.rejectedWith(Frame.Reject.Scope.SERIES)).isEqualTo(RejectReason.BAD_SERIES);

      RunningServer.eventually(() -> !lines.written.isEmpty());
    }
    assertThat(lines.written)
        .containsExactly(
            "event=rejected reason=bad_series more=1 total=1 peer=127.0.0.1 instance="
                + instance
                + " labels=\"{app=\\\"shop\\\"}\"");
  }

  @Test
  void bytes_ofNoClient_nameTheirAddress() throws Exception {
    try (RunningServer sidecar = new RunningServer();
        FrameClient stranger = sidecar.connect()) {
      stranger.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      stranger.awaitClose();

      RunningServer.eventually(() -> !lines.written.isEmpty());
    }
    assertThat(lines.written)
        .containsExactly(
            "event=rejected reason=bad_header more=1 total=1 peer=127.0.0.1 instance=unknown"
                + " labels=\"\"");
  }

  @Test
  void line_ofAMinute_namesTheFirstClientSinceTheLineBefore() {
    RejectLog log = new RejectLog(new StoreSink(new SeriesStore(MergeConfig.defaults())));
    count(log, "10.0.0.1");
    log.log(0);
    count(log, "10.0.0.2");
    count(log, "10.0.0.3");
    log.log(MINUTE - 1);
    log.log(MINUTE);

    assertThat(lines.written)
        .containsExactly(
            "event=rejected reason=bad_frame more=1 total=1 peer=10.0.0.1 instance=unknown"
                + " labels=\"\"",
            "event=rejected reason=bad_frame more=2 total=3 peer=10.0.0.2 instance=unknown"
                + " labels=\"\"");
  }

  @Test
  void refusal_thatCameByAnotherWay_namesNoClientOfBefore() {
    SeriesStore store = new SeriesStore(MergeConfig.defaults());
    RejectLog log = new RejectLog(new StoreSink(store));
    count(log, "10.0.0.1");
    log.log(0);
    store.countRejected(RejectReason.BAD_FRAME);
    log.log(MINUTE);

    assertThat(lines.written).hasSize(2);
    assertThat(lines.written.get(1)).contains("peer=unknown");
  }

  @Test
  void labels_thatAreLong_areCut() {
    Labels labels = Labels.of("a", "x".repeat(1000));

    assertThat(new RejectedClient("10.0.0.1", null, labels).shownLabels())
        .isEqualTo("{a=\"" + "x".repeat(296) + "...");
  }

  private static void count(RejectLog log, String peer) {
    log.count(RejectReason.BAD_FRAME, () -> new RejectedClient(peer, null, Labels.empty()));
  }
}
