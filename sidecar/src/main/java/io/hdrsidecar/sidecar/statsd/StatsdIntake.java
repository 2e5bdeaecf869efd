package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.plain.PlainName;
import io.hdrsidecar.sidecar.plain.PlainSeries;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.hdrsidecar.sidecar.plain.RefusedPlainException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the lines of datagrams in their series, and hands the counts over once a second, or when
 * there is no memory for more. In that case nothing is read until the store has taken them: a Unix
 * socket lets its senders wait, and what the kernel drops of UDP is counted. One thread at a time.
 */
final class StatsdIntake {
  /** Most bytes of a datagram; one more, so that a longer one shows. */
  static final int MOST_BYTES = 65_536;

  /**
   * What one line may allocate in its series beyond what is taken for it: all counters of its
   * layout at 64 bits, and room for its name, its tags and the texts made of them.
   */
  static final long LINE_BYTES = 600 << 10;

  private SeriesNaming naming;
  private final SeriesCache cache;
  private final HandOver handOver;
  private final StatsdCounters counters;
  private final StatsdLog log;
  private final InstantSource clock;
  private final @Nullable PlainSource plain;
  private final StatsdLine line;
  private final DecimalNumber number = new DecimalNumber();
  private long handedBytes;
  private long sinceMillis;
  private long nowMillis;
  private volatile boolean closed;
  private volatile long known;

  /**
   * An intake that has counted nothing.
   *
   * @param claim of the share of the heap for StatsD, of which {@link #LINE_BYTES} stay free
   * @param plain gets counters and gauges; null where they are not kept
   */
  StatsdIntake(
      StatsdMapping mapping,
      HeapClaim claim,
      @Nullable PlainSource plain,
      HandOver handOver,
      StatsdCounters counters,
      StatsdLog log,
      InstantSource clock) {
    this.naming = new SeriesNaming(mapping);
    this.cache = new SeriesCache(claim, LINE_BYTES);
    this.plain = plain;
    this.line = new StatsdLine(/* takesPlain= */ plain != null);
    this.handOver = handOver;
    this.counters = counters;
    this.log = log;
    this.clock = clock;
    this.sinceMillis = clock.millis();
    this.nowMillis = sinceMillis;
  }

  /**
   * Counts what a datagram, or a frame, has.
   *
   * @param length how many of the bytes are its
   * @param from where it came from, for the log
   */
  void take(byte[] bytes, int length, StatsdSocket socket, Object from) {
    counters.datagram(socket);
    int start = 0;
    while (start < length) {
      int feed = StatsdLine.indexOf(bytes, (byte) '\n', start, length);
      int end = feed < 0 ? length : feed;
      int trimmed = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
      if (trimmed > start) {
        takeLine(bytes, start, trimmed, from);
      }
      start = end + 1;
    }
  }

  private void takeLine(byte[] bytes, int start, int end, Object from) {
    counters.line();
    NotKept reason = line.read(bytes, start, end);
    if (reason == null) {
      if (!cache.hasRoom()) {
        waitForRoom(); // Entries may be forgotten meanwhile.
      }
      SeriesCache.Entry entry = cache.find(bytes, start, line);
      if (entry == null) {
        entry = newEntry(bytes, start, end, from);
      }
      if (entry != null) {
        takeValues(bytes, start, end, entry, from);
      }
    } else {
      notKept(reason, bytes, start, end, from);
    }
  }

  private void takeValues(byte[] bytes, int start, int end, SeriesCache.Entry entry, Object from) {
    StatsdSeries series = entry.series;
    PlainName name = entry.plainName;
    PlainSeries shown = entry.plain;
    if (series != null) {
      count(bytes, start, end, entry, series, from);
    } else if (name != null && shown != null) {
      change(bytes, start, end, entry, name, shown, from);
    } else if (entry.reason != null) {
      counters.notKept(entry.reason);
    }
  }

  private SeriesCache.@Nullable Entry newEntry(byte[] bytes, int start, int end, Object from) {
    try {
      StatsdSeries series = null;
      PlainName name = null;
      PlainSeries shown = null;
      if (plain != null && line.isPlain()) {
        name = naming.plainOf(bytes, start, line);
        shown = name == null ? null : plain.find(name, nowMillis);
      } else {
        series = naming.seriesOf(bytes, start, line);
      }
      NotKept reason = series == null && shown == null ? NotKept.DROPPED_BY_MAPPING : null;
      SeriesCache.Entry added = cache.add(bytes, start, line, series, name, shown, reason);
      if (added == null) {
        counters.notKept(NotKept.NO_MEMORY);
      }
      return added;
    } catch (BadNameException e) {
      notKept(e.reason(), bytes, start, end, from);
      return null;
    } catch (RefusedPlainException e) {
      notKept(NotKept.of(e.reason()), bytes, start, end, from);
      return null;
    }
  }

  private void count(
      byte[] bytes, int start, int end, SeriesCache.Entry entry, StatsdSeries series, Object from) {
    long counted = 0;
    int value = line.valuesStart;
    while (value <= line.valuesEnd) {
      int valueEnd = number.readToColon(bytes, value, line.valuesEnd);
      if (number.isNumber()) {
        series.record(number, line.weight, counters);
        counted++;
      } else {
        notKept(NotKept.BAD_VALUE, bytes, start, end, from);
      }
      value = valueEnd + 1;
    }
    if (counted > 0) {
      counters.values(counted);
      cache.counted(entry, series);
    }
  }

  private void change(
      byte[] bytes,
      int start,
      int end,
      SeriesCache.Entry entry,
      PlainName name,
      PlainSeries known,
      Object from) {
    PlainSeries shown = known;
    if (plain != null && known.hasEnded()) {
      try {
        shown = plain.find(name, nowMillis);
        entry.plain = shown;
      } catch (RefusedPlainException e) {
        notKept(NotKept.of(e.reason()), bytes, start, end, from);
        return;
      }
    }
    long taken = 0;
    int value = line.valuesStart;
    while (value <= line.valuesEnd) {
      int valueEnd = number.readToColon(bytes, value, line.valuesEnd);
      boolean hasSign = bytes[value] == '+' || bytes[value] == '-';
      if (number.isNumber() && shown.take(sent(name), line.weight, hasSign, nowMillis)) {
        taken++;
      } else {
        notKept(NotKept.BAD_VALUE, bytes, start, end, from);
      }
      value = valueEnd + 1;
    }
    counters.values(taken);
  }

  private double sent(PlainName name) {
    double amount = number.toDouble() * name.scale();
    return number.isNegative() ? -amount : amount;
  }

  /** Counts what was not kept, and says so in the log if its sender made a mistake. */
  void notKept(NotKept reason, byte[] bytes, int start, int end, Object from) {
    counters.notKept(reason);
    if (reason.isMistake()) {
      log.badLine(reason, bytes, start, end, from);
    }
  }

  /** Names by other rules from now on; what was counted is handed over under its old name. */
  void use(StatsdMapping mapping) {
    naming = new SeriesNaming(mapping);
    cache.startAnew();
  }

  /** Hands over what was counted, unless what was handed over last is being merged still. */
  void tick() {
    nowMillis = clock.millis();
    if (plain != null) {
      plain.expire(nowMillis);
    }
    if (!handOver.isRunning()) {
      begin();
    }
    known = cache.size();
  }

  private void begin() {
    cache.release(handedBytes);
    handedBytes = 0;
    if (cache.isWaiting()) {
      List<StatsdInterval> intervals = new ArrayList<>();
      long endMillis = clock.millis();
      handedBytes = cache.harvest(intervals);
      handOver.begin(intervals, Math.min(sinceMillis, endMillis), endMillis);
      sinceMillis = endMillis;
    } else {
      sinceMillis = clock.millis();
    }
  }

  private void waitForRoom() {
    counters.waited();
    boolean hadValues = true;
    while (!closed && !cache.hasRoom() && hadValues) {
      if (handOver.await(100)) {
        hadValues = handedBytes > 0 || cache.isWaiting();
        begin();
        cache.forgetAll();
      }
    }
  }

  /**
   * Hands over all that was counted, and waits until it is merged.
   *
   * @param millis how long at most
   */
  void finish(long millis) {
    for (int turn = 0; turn < 2; turn++) { // What is being merged, and then what came meanwhile.
      if (handOver.await(millis)) {
        begin();
      }
    }
    handOver.await(millis);
  }

  /** Waits for nothing any more. Any thread. */
  void close() {
    closed = true;
  }

  /** How many names with tags are known. Any thread. */
  long known() {
    return known;
  }
}
