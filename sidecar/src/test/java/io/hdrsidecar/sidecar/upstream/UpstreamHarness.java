package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.internal.send.SidecarAddress;
import io.hdrsidecar.internal.send.TlsFiles;
import io.hdrsidecar.internal.send.TokenSource;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A sender and what is to be handed on: values counted here wait until the sender asks, and each
 * batch is one position further on in a journal that is not there.
 */
final class UpstreamHarness implements AutoCloseable {
  static final InstanceId SIDECAR = new InstanceId(1, 2);
  static final Labels RESOURCE = Labels.of("pod", "shop-1", "namespace", "prod");
  private static final String SECOND = ":2";
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private final UpstreamSender sender;
  private final Map<String, Accumulation> counted = new LinkedHashMap<>();
  private final List<List<InstanceId>> paths = new ArrayList<>();
  private long position;
  private boolean answers = true;

  /** Starts one, from what the ledger has. */
  UpstreamHarness(String address, UpstreamLedger ledger, UpstreamLedger.State before) {
    this.position = before.position();
    SendConfig send =
        new SendConfig(
            SidecarAddress.parse(address),
            true,
            Duration.ofMillis(20),
            Labels.empty(),
            TokenSource.NONE,
            TlsFiles.NONE,
            Duration.ofSeconds(5),
            Duration.ofMillis(5),
            Duration.ofMillis(50),
            null,
            null,
            Clock.systemUTC(),
            System::nanoTime,
            new SplittableRandom(1));
    UpstreamSenderConfig config =
        new UpstreamSenderConfig(
            send, RESOURCE, SIDECAR, this::path, System.getLogger(UpstreamHarness.class.getName()));
    this.sender = new UpstreamSender(config, ledger, before, this::harvest);
    sender.start(
        (thread, error) -> {
          throw new AssertionError(error);
        });
  }

  private synchronized void path(List<InstanceId> above) {
    paths.add(above);
  }

  synchronized List<List<InstanceId>> paths() {
    return List.copyOf(paths);
  }

  synchronized void count(String series, long... values) {
    Accumulation sum = counted.computeIfAbsent(series, absent -> new Accumulation(LAYOUT));
    for (long value : values) {
      sum.counts().add(LAYOUT.indexOf(value), 1);
      sum.sum().add(value);
      sum.widen(value, value);
      sum.offer(new Exemplar(value, 1, "trace" + value, ""));
    }
  }

  /** In a part for each. */
  synchronized void countTwice(String series, long one, long other) {
    count(series, one);
    count(series + SECOND, other);
  }

  /** Whether everything that was counted is in this ledger. */
  synchronized boolean isWritten(NotedLedger ledger) {
    return counted.isEmpty() && ledger.state().position() >= position;
  }

  /** What was counted and not asked for is not in the journal yet. */
  synchronized void answerNoMore() {
    answers = false;
  }

  private synchronized void harvest() {
    if (!answers) {
      return;
    }
    List<UpstreamBatch.SummedSeries> parts = new ArrayList<>();
    counted.forEach(
        (name, sum) ->
            parts.add(
                new UpstreamBatch.SummedSeries(
                    new SeriesDefinition(
                        new SeriesKey(name.replace(SECOND, ""), Labels.empty()),
                        Unit.NANOSECONDS,
                        "Help.",
                        LAYOUT,
                        HOUR_NANOS),
                    sum,
                    1_000,
                    2_000)));
    counted.clear();
    sender.offer(new UpstreamBatch(parts, ++position));
  }

  UpstreamSender sender() {
    return sender;
  }

  UpstreamFigures figures() {
    return sender.figures();
  }

  /** As {@code kill -9} would: nothing more is said. */
  @Override
  public void close() {
    sender.close(Duration.ZERO);
  }
}
