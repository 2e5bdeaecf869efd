package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.crash.PickupReader;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Sends one spill file as its own client would have gone on: a session under that client's instance
 * id, whose WELCOME says what of it the sidecar has merged. The file goes when everything in it is
 * settled, and GOODBYE comes after that: said before, the sidecar might forget the numbers while
 * the file is still there. One thread; use once.
 */
final class SpillReplay {
  /** All of a file is in memory while it is sent. A larger one is left to the sidecar. */
  static final long MAX_FILE_BYTES = 16 << 20;

  private static final int MAX_COUNTERS = 1 << 22;
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final long MAX_DEFINITION_BYTES = 16 << 20;
  private static final SpillLimits LIMITS =
      SpillLimits.of(MAX_FILE_BYTES, MAX_COUNTERS, MAX_BODY_BYTES, MAX_DEFINITION_BYTES);
  private static final String TOO_MANY_SERIES = "its series take too much memory";
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final long GOODBYE_NANOS = 500_000_000;
  private static final long LONGEST_WAIT_MILLIS = 50;

  private final Path file;
  private final SendConfig config;
  private final StateLog log;
  private final SendTally tally = new SendTally();
  private final PendingIntervals pending = new PendingIntervals(tally);
  private final SeriesRoster roster = new SeriesRoster();
  private final Delivery delivery;

  SpillReplay(Path file, SendConfig config, StateLog log) {
    this.file = file;
    this.config = config;
    this.log = log;
    this.delivery = new Delivery(pending, roster, tally, log, CrashLog.NONE);
  }

  /** What came of it; once it is over. */
  SendTally tally() {
    return tally;
  }

  /** Sends the file. */
  void run(SpillClaim claim, BooleanSupplier isStopped) throws IOException {
    try (delivery;
        SpillFile opened = claim.open(file)) {
      if (!opened.isLeft()) {
        return; // Its process lives.
      }
      if (opened.size() > MAX_FILE_BYTES && !opened.isCrashFile()) {
        log.once("large " + file, Level.WARNING, file + " is left to the sidecar: it is too large");
        return;
      }
      Resumption resumption = new Resumption();
      SpillContents contents =
          PickupReader.read(opened, LIMITS, config.clock().millis(), resumption);
      InstanceId instance = contents.instance();
      if (resumption.hasTooManySeries) {
        leave(TOO_MANY_SERIES);
      } else if (instance != null) {
        send(claim, contents, instance, isStopped);
      } else if (opened.isCrashFile() && !contents.isWhole()) {
        leave(contents.damage());
      } else {
        finish(claim, contents);
      }
    }
  }

  /** A sidecar may have more room than this process, know a later version, and tell people. */
  private void leave(String why) {
    log.once(
        "unreadable " + file,
        Level.WARNING,
        file + " is left to the sidecar: this client cannot read it: " + why);
  }

  private void send(
      SpillClaim claim, SpillContents contents, InstanceId instance, BooleanSupplier isStopped)
      throws IOException {
    SendConfig asItWas = config.withCommonLabels(contents.commonLabels());
    Session session = new Session(asItWas, instance, delivery, tally, log, CrashLog.NONE);
    try (Selector selector = Selector.open()) {
      long deadline = config.ticker().getAsLong() + PATIENCE_NANOS;
      while (!isSettled() && !isStopped.getAsBoolean() && isBefore(deadline)) {
        turn(session, selector);
      }
      if (isSettled()) {
        finish(claim, contents);
        sayGoodbye(session, selector);
      }
    } finally {
      session.disconnect();
    }
  }

  private boolean isSettled() {
    return delivery.inFlight().isEmpty();
  }

  private boolean isBefore(long deadline) {
    return config.ticker().getAsLong() - deadline < 0;
  }

  private void turn(Session session, Selector selector) throws IOException {
    session.onTime(config.ticker().getAsLong(), selector);
    session.pump();
    session.write();
    selector.select(key -> session.onReady(config.ticker().getAsLong()), LONGEST_WAIT_MILLIS);
  }

  private void finish(SpillClaim claim, SpillContents contents) throws IOException {
    if (contents.isWhole()) {
      claim.delete(file);
      log.always(
          Level.INFO,
          "picked up " + file + ": intervals=" + tally.of(ClientFigure.ACKNOWLEDGED_INTERVALS));
    } else {
      Path aside = claim.setAside(file);
      log.always(
          Level.WARNING,
          "damaged, what could be read is sent: "
              + aside
              + ": intervals="
              + tally.of(ClientFigure.ACKNOWLEDGED_INTERVALS)
              + " damaged="
              + contents.damaged());
    }
  }

  private void sayGoodbye(Session session, Selector selector) throws IOException {
    long deadline = config.ticker().getAsLong() + GOODBYE_NANOS;
    session.sayGoodbye();
    while (session.isOpen() && isBefore(deadline)) {
      session.write();
      selector.select(key -> session.onReady(config.ticker().getAsLong()), LONGEST_WAIT_MILLIS);
    }
  }

  /** Puts what is in the file where what was sent and not settled is. */
  private final class Resumption implements SpillVisitor {
    private boolean hasTooManySeries;

    @Override
    public void series(int id, SeriesDefinition definition) {
      hasTooManySeries |= id == 1 && roster.size() > 0;
      requireFewSeries();
      roster.add(definition, new Ended());
    }

    /** Ids that begin anew mean other series from there on. */
    private void requireFewSeries() {
      if (hasTooManySeries) {
        throw new IllegalArgumentException(TOO_MANY_SERIES);
      }
    }

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {
      requireFewSeries();
      OutgoingSeries series = roster.withId(seriesId);
      if (series != null) {
        delivery.resume(
            new InFlight.EncodedInterval(sequence, series, values, ByteBuffer.wrap(frame)));
      }
    }

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {
      throw new IllegalArgumentException("a series needs more than " + MAX_COUNTERS + " counters");
    }
  }

  /** The recorder of a series has gone with its process. */
  private static final class Ended implements IntervalSource {
    @Override
    public long harvestInto(Accumulation target) {
      return 0;
    }
  }
}
