package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.conformance.KnownInstance.SeenInterval;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Holds what comes on one connection against the laws that hold on every connection. */
final class ConnectionCheck {
  /** What a client may send before it knows the limits. */
  private static final int BODY_BEFORE_WELCOME = 4096;

  private static final int MOST_COUNTERS = 1 << 24;
  private static final int RAW = 0x1c849313;
  private static final int DEFLATED = 0x1c849314;
  private static final long HOUR_MILLIS = 3_600_000;

  private final ExpectedClient client;
  private final int number;
  private final IntervalFrame frame = new IntervalFrame();
  private final DecodedHistogram histogram = new DecodedHistogram();
  private final Map<Integer, SeriesDefinition> series = new HashMap<>();
  private final Set<Integer> refused = new HashSet<>();
  private final TreeSet<Long> unanswered = new TreeSet<>();
  private Frame.Welcome granted =
      new Frame.Welcome(FrameEncoder.VERSION, 0, BODY_BEFORE_WELCOME, Integer.MAX_VALUE, 1);
  private KnownInstance instance = new KnownInstance(new InstanceId(0, 0));
  private SortedMap<Long, SeenInterval> toComeAgain = new TreeMap<>();
  private long last;
  private int cookie;

  ConnectionCheck(ExpectedClient client, int number) {
    this.client = client;
    this.number = number;
  }

  int number() {
    return number;
  }

  KnownInstance instance() {
    return instance;
  }

  void breach(Law law, String expected, @Nullable String came) {
    breach(law, expected, came, "");
  }

  private void breach(Law law, String expected, @Nullable String came, String where) {
    String on = "connection " + number + (where.isEmpty() ? "" : ", " + where);
    client.ledger().breach(law, expected, String.valueOf(came), on);
  }

  void body(byte type, int bytes) {
    if (bytes > granted.maxBodyBytes()) {
      String what = type == 1 ? "HELLO" : "frame of type " + type;
      breach(
          type == 1 ? Law.HELLO : Law.LONGEST_BODY,
          "a body of at most " + granted.maxBodyBytes() + " bytes",
          "a " + what + " of " + bytes);
    }
  }

  void hello(Frame.Hello hello) {
    instance = client.hello(hello, number);
  }

  Frame.Welcome welcomed(Frame.Welcome welcome) {
    granted = welcome;
    toComeAgain = instance.open(welcome.lastSequence());
    return welcome;
  }

  void series(Frame.Series declared) {
    SeriesDefinition definition = declared.definition();
    series.put(declared.id(), definition);
    refused.remove(declared.id());
    String differs = client.differs(definition);
    if (!differs.isEmpty()) {
      breach(Law.SERIES, differs, definition.toString());
    }
  }

  void refuseSeries(int id) {
    refused.add(id);
  }

  /** All up to this number have their answer. */
  void answered(long sequence) {
    unanswered.headSet(sequence, true).clear();
  }

  /** Null when nothing can be made of it. */
  @Nullable Arrival interval(FrameDecoder decoder, byte[] bytes) throws MalformedFrameException {
    decoder.interval(frame);
    long sequence = frame.sequence();
    String where = "interval " + sequence;
    SeriesDefinition definition = series.get(frame.seriesId());
    if (definition == null) {
      breach(Law.SERIES, "a declared series id", "id " + frame.seriesId(), where);
      return null;
    }
    if (refused.contains(frame.seriesId()) && granted.maxInFlight() == 1) {
      String came = "an interval of " + definition.key();
      breach(Law.REFUSED_SERIES, "nothing of a refused series", came, where);
    }
    checkNumber(sequence, definition, where);
    IntervalContents contents = contents(definition, bytes, where);
    if (contents == null) {
      return null;
    }
    unanswered.add(sequence);
    if (unanswered.size() > granted.maxInFlight()) {
      String came = unanswered.size() + " of them";
      breach(
          Law.IN_FLIGHT_LIMIT, granted.maxInFlight() + " intervals without an answer", came, where);
    }
    return new Arrival(
        sequence, frame.seriesId(), frame.bodyLength(), keep(sequence, contents, where));
  }

  private void checkNumber(long sequence, SeriesDefinition definition, String where) {
    if (sequence < 1 || sequence <= last) {
      breach(Law.NUMBERS, "a number above " + last, String.valueOf(sequence), where);
    }
    last = Math.max(last, sequence);
    if (sequence <= granted.lastSequence()) {
      String expected = "numbers above " + granted.lastSequence() + ", which WELCOME covers";
      breach(Law.RESEND, expected, "number " + sequence, where);
    }
    if (sequence > instance.settled + IntervalFrame.MAX_SEQUENCE_GAP && instance.settled > 0) {
      breach(Law.NUMBERS, "no gap above 65536", "number " + sequence, where);
    }
    for (Map.Entry<Long, SeenInterval> skipped : toComeAgain.headMap(sequence).entrySet()) {
      if (!isRefused(skipped.getValue())) {
        breach(
            Law.RESEND,
            "interval " + skipped.getKey() + " first, which was sent and is not settled",
            "interval " + sequence + " of " + definition.key(),
            where);
      }
    }
    toComeAgain.headMap(sequence + 1).clear();
  }

  private boolean isRefused(SeenInterval kept) {
    return refused.stream()
        .map(series::get)
        .anyMatch(one -> one != null && one.key().equals(kept.contents.series()));
  }

  private SeenInterval keep(long sequence, IntervalContents contents, String where) {
    SeenInterval before = instance.intervals.get(sequence);
    if (before == null) {
      if (sequence < instance.highest()) {
        String expected = "new numbers above " + instance.highest();
        breach(Law.NUMBERS, expected, "number " + sequence, where);
      }
      checkForm(where);
      SeenInterval kept = new SeenInterval(contents);
      instance.intervals.put(sequence, kept);
      return kept;
    }
    if (!before.contents.equals(contents)) {
      breach(
          Law.NUMBERS,
          "what this number had before: " + before.contents,
          "other contents: " + contents,
          where);
    }
    if (before.fate == KnownInstance.Fate.REFUSED) {
      String came = "it comes again";
      breach(Law.REFUSED_INTERVAL, "nothing more of a refused interval", came, where);
    }
    return before;
  }

  private void checkForm(String where) {
    int expected = granted.deflateLevel() == 0 ? RAW : DEFLATED;
    if (cookie != expected) {
      breach(
          Law.WISH,
          String.format("cookie %08x for level %d", expected, granted.deflateLevel()),
          String.format("%08x", cookie),
          where);
    }
  }

  private @Nullable IntervalContents contents(
      SeriesDefinition definition, byte[] bytes, String where) {
    try (HistogramDecoder payloads = new HistogramDecoder(MOST_COUNTERS)) {
      payloads.decode(bytes, frame.payloadOffset(), frame.payloadLength(), histogram);
    } catch (MalformedFrameException e) {
      breach(Law.PAYLOAD, "an HdrHistogram", e.getMessage(), where);
      return null;
    }
    cookie = ByteBuffer.wrap(bytes).getInt(frame.payloadOffset());
    SparseCounts counts = histogram.counts();
    boolean sameLayout = histogram.layout().equals(definition.layout());
    check(sameLayout, definition.layout(), histogram.layout(), where);
    check(counts.total() == frame.count(), "count " + counts.total(), frame.count(), where);
    if (counts.size() == 0) {
      breach(Law.PAYLOAD, "an interval in which something was recorded", "none", where);
      return null;
    }
    checkEnd("minimum", counts.indexAt(0), frame.sumMinMax().min(), where);
    checkEnd("maximum", counts.indexAt(counts.size() - 1), frame.sumMinMax().max(), where);
    checkTimes(where);
    return IntervalContents.of(
        definition.key(), frame, IntervalContents.bucketsOf(histogram.layout(), counts));
  }

  private void checkEnd(String what, int bucket, long value, String where) {
    long low = histogram.layout().lowestValueAt(bucket);
    long high = histogram.layout().highestValueAt(bucket);
    check(value >= low && value <= high, what + " from " + low + " to " + high, value, where);
  }

  private void checkTimes(String where) {
    long start = frame.startMillis();
    long end = frame.endMillis();
    check(end >= start, "an end at or after " + start, end, where);
    long now = System.currentTimeMillis();
    check(Math.abs(now - end) < HOUR_MILLIS, "milliseconds, about " + now, end, where);
  }

  private void check(boolean holds, Object expected, Object came, String where) {
    if (!holds) {
      breach(Law.PAYLOAD, expected.toString(), came.toString(), where);
    }
  }
}
