package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.send.Backoff;
import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.config.ExportConfig.Temporality;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Pushes all series of a store to one receiver, on a thread of its own. Half of its share of the
 * heap is for a request, half for what is remembered of each series.
 */
public final class SeriesExport implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SeriesExport.class.getName());
  private static final int MOST_REQUEST_BYTES = 1 << 20;

  /** A buffer that doubles, its copy or the texts in it, and the packed one. */
  private static final int REQUEST_TIMES = 8;

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final ExportConfig config;
  private final HeapClaim requestClaim;
  private final HeapClaim streamClaim;
  private final ExportCounters counters = new ExportCounters();
  private final ExportStreams streams;
  private final ExportLoop loop;
  private @Nullable Thread thread;

  /**
   * An export, not yet started. Of a store that was restored, deltas begin with what is merged from
   * now on.
   *
   * @param version of this sidecar, as it tells the receiver
   * @param share of the heap for it
   */
  public SeriesExport(ExportConfig config, SeriesStore store, String version, HeapShare share) {
    this(config, store, version, share, InstantSource.system(), FIRST_WAIT);
  }

  /**
   * The same with another clock, for the times of points alone.
   *
   * @param firstWait after the first failure in a row
   */
  SeriesExport(
      ExportConfig config,
      SeriesStore store,
      String version,
      HeapShare share,
      InstantSource clock,
      Duration firstWait) {
    this.config = config;
    long half = share.maxBytes() / 2;
    requestClaim = share.atMost(half).claim();
    streamClaim = share.atMost(half).claim();
    streams = new ExportStreams(store, streamClaim, counters);
    int maxBytes = (int) Math.min(MOST_REQUEST_BYTES, half / REQUEST_TIMES);
    SplittableRandom random = new SplittableRandom();
    ExportWire wire =
        config.isRemoteWrite()
            ? new RemoteWrite(config, requestClaim)
            : new OtlpWire(config, version, requestClaim);
    boolean isDelta = config.temporality() == Temporality.DELTA;
    RequestWriter writer = new RequestWriter(wire, isDelta, streams, maxBytes);
    loop =
        new ExportLoop(
            config,
            streams,
            writer,
            new ExportClient(config, wire, version, clock),
            counters,
            clock,
            new Backoff(firstWait, LONGEST_WAIT, random),
            random.nextLong(config.interval().toNanos()));
    if (isDelta) {
      long values = writer.assumeDelivered(clock.millis() * 1_000_000);
      if (values > 0) {
        LOG.log(Level.INFO, "event=export_takes_for_delivered values={0}", String.valueOf(values));
      }
    }
  }

  /** Starts the thread; once. */
  public void start() {
    Thread started = new Thread(loop, "hdr-sidecar-export");
    started.setDaemon(true);
    started.setUncaughtExceptionHandler(
        (ended, error) -> {
          OutOfMemory.endIfIn(error);
          LOG.log(Level.ERROR, "event=export_ended", error);
        });
    started.start();
    thread = started;
    LOG.log(
        Level.INFO,
        "event=export_started address={0} temporality={1} interval={2}",
        config.address(),
        config.temporality(),
        config.interval());
  }

  /** Pushes what there is once more, for as long as is configured, and ends. Blocks; idempotent. */
  public void drain() {
    end(config.drain());
  }

  /** Ends. Idempotent. */
  @Override
  public void close() {
    end(Duration.ZERO);
  }

  private void end(Duration patience) {
    Thread ending = thread;
    thread = null;
    if (ending == null) {
      return;
    }
    loop.end().ask(patience.toNanos());
    try {
      ending.join(patience.plus(GRACE).toMillis());
      if (ending.isAlive()) {
        ending.interrupt();
        ending.join(GRACE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requestClaim.close();
    streamClaim.close();
  }

  /** What is shown of it. Any thread. */
  public List<Metric> metrics() {
    return counters.metrics(config.interval().toNanos(), loop::ageNanos, streams::left);
  }
}
