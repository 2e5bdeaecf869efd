package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.send.Backoff;
import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.config.ExportConfig.Temporality;
import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import io.hdrsidecar.sidecar.export.ExportAnswer.What;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * What the thread of the export does: rounds over all series, one each interval, each in as many
 * requests as it takes.
 *
 * <p>What keeps values from being lost: a series has all that was counted since its start, so a
 * point that did not arrive costs nothing. It is written anew, with what has come in the meantime.
 * Only what may have arrived is different, and only for deltas, where a point that is written anew
 * would tell the same values under another time: that request is sent again as it is, byte by byte,
 * until it is known what became of it. So one request is held, never a queue.
 */
final class ExportLoop implements Runnable {
  /** Prometheus refuses what is further in the future. */
  private static final long MOST_AHEAD_NANOS = Duration.ofMinutes(10).toNanos();

  /** At the end, requests still have this long. */
  private static final long LEAST_PATIENCE_NANOS = 100_000_000;

  private final ExportConfig config;
  private final boolean isDelta;
  private final ExportStreams streams;
  private final RequestWriter writer;
  private final ExportClient client;
  private final ExportCounters counters;
  private final ExportLog log;
  private final InstantSource clock;
  private final Backoff backoff;
  private final long firstNanos;
  private final EndOfExport end = new EndOfExport();
  private long lastTimeNanos;
  private volatile long completeNanos = System.nanoTime();

  /**
   * A loop, not yet running.
   *
   * @param backoff says how long to wait after a failure
   * @param firstNanos until the first round
   */
  ExportLoop(
      ExportConfig config,
      ExportStreams streams,
      RequestWriter writer,
      ExportClient client,
      ExportCounters counters,
      InstantSource clock,
      Backoff backoff,
      long firstNanos) {
    this.config = config;
    this.isDelta = config.temporality() == Temporality.DELTA;
    this.streams = streams;
    this.writer = writer;
    this.client = client;
    this.counters = counters;
    this.log = new ExportLog(config.address().toString());
    this.clock = clock;
    this.backoff = backoff;
    this.firstNanos = firstNanos;
  }

  @Override
  public void run() {
    try {
      long due = System.nanoTime() + firstNanos;
      boolean isLast;
      do {
        if (!end.isNear()) {
          end.await(due - System.nanoTime());
        }
        isLast = end.isNear();
        roundOrLog();
        long now = System.nanoTime();
        long interval = config.interval().toNanos();
        due += Math.max(1, (now - due) / interval + 1) * interval; // Missed ones are left out.
      } while (!isLast && !end.isOver());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Nobody waits any longer.
    } finally {
      long left = streams.undelivered();
      if (left > 0) {
        log.undelivered(left);
      }
    }
  }

  private void roundOrLog() throws InterruptedException {
    try {
      if (round()) {
        completeNanos = System.nanoTime();
      }
    } catch (RuntimeException e) {
      OutOfMemory.endIfIn(e);
      log.failed(e);
    }
  }

  /** True when all has arrived, or there was nothing to send. */
  private boolean round() throws InterruptedException {
    List<ExportStream> all = streams.round();
    boolean isWhole = true;
    for (int from = 0; from < all.size(); ) {
      ExportRequest request = writer.write(all, from, timeNanos());
      if (request.streams().isEmpty()) {
        from = request.next();
        continue;
      }
      Result result = sendOrGiveUp(request);
      if (result.what() == What.ARRIVED || result.what() == What.REFUSED) {
        boolean isSmaller = result == Result.TOO_LARGE && writer.halve();
        from = isSmaller ? from : request.next();
        isWhole &= result.what() == What.ARRIVED || isSmaller;
      } else if (end.isOver()) {
        return false;
      } else {
        streams.refresh(); // And the same series again, as they are now.
      }
    }
    return isWhole;
  }

  /**
   * A millisecond after the last one where the clock is put back a little: receivers refuse points
   * that are older than others. A clock that was far ahead is followed, as they refuse what is in
   * the future, too.
   */
  private long timeNanos() {
    Instant now = clock.instant();
    long nanos =
        Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000), now.getNano());
    boolean wasFarAhead = lastTimeNanos - nanos > MOST_AHEAD_NANOS;
    lastTimeNanos = wasFarAhead ? nanos : Math.max(nanos, lastTimeNanos + 1_000_000);
    return lastTimeNanos;
  }

  private Result sendOrGiveUp(ExportRequest request) throws InterruptedException {
    try {
      return send(request);
    } catch (RuntimeException e) {
      streams.giveUp(request);
      throw e;
    }
  }

  /** Sends a request until it is known what became of it; after a failure, waits. */
  private Result send(ExportRequest request) throws InterruptedException {
    boolean mayHaveArrived = false;
    while (true) {
      ExportAnswer answer = client.send(request, patience());
      Result result = answer.result();
      counters.request(request, result);
      log.answered(answer);
      if (result.what() == What.ARRIVED) {
        counters.arrived(request, answer.rejectedPoints());
        streams.deliver(request);
        backoff.reset();
        return result;
      }
      mayHaveArrived |= isDelta && result.what() == What.UNKNOWN;
      if (result.what() == What.REFUSED) {
        streams.giveUp(request);
        return result;
      }
      if (!mayHaveArrived) {
        streams.giveUp(request);
        end.await(pauseNanos(answer));
        return result;
      }
      end.await(pauseNanos(answer));
      if (end.isOver()) {
        streams.giveUp(request);
        return result;
      }
      streams.refresh();
      counters.resent();
    }
  }

  private long pauseNanos(ExportAnswer answer) {
    return Math.max(backoff.next(), answer.retryAfter().toNanos());
  }

  private Duration patience() {
    long nanos = Math.max(LEAST_PATIENCE_NANOS, end.leftNanos());
    return Duration.ofNanos(Math.min(config.timeout().toNanos(), nanos));
  }

  /** Nanoseconds since everything was delivered. Any thread. */
  long ageNanos() {
    return System.nanoTime() - completeNanos;
  }

  /** When it ends. */
  EndOfExport end() {
    return end;
  }
}
