package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.upstream.UpstreamLedger.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** Reads what {@link Outbox} writes. Use once. */
final class OutboxReader {
  private static final int MAX_BODY_BYTES = 1 << 20;

  private final byte[] bytes;
  private final ByteBuffer in;
  private final CRC32C crc = new CRC32C();
  private final List<UpstreamInterval> intervals = new ArrayList<>();

  private OutboxReader(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes);
  }

  /** The state, as the marks left it. */
  static State read(byte[] bytes) throws IOException {
    return new OutboxReader(bytes).read();
  }

  private State read() throws IOException {
    int checked = Outbox.HEADER_BYTES - Integer.BYTES;
    if (in.remaining() < Outbox.HEADER_BYTES
        || in.getLong(0) != Outbox.MAGIC
        || in.getInt(checked) != crcOf(0, checked)) {
      throw new DamagedOutboxException(Long.MAX_VALUE, 0, "its header cannot be read");
    }
    InstanceId instance = new InstanceId(in.getLong(8), in.getLong(16));
    long position = in.getLong(24);
    long lastSent = in.getLong(32);
    int count = in.getInt(40);
    in.position(Outbox.HEADER_BYTES);
    try {
      readFrames(count);
    } catch (MalformedFrameException e) {
      throw new DamagedOutboxException(position, valuesRead(), e.getMessage());
    }
    return marked(new State(instance, position, lastSent, intervals));
  }

  private long valuesRead() {
    return intervals.stream().mapToLong(UpstreamInterval::values).sum();
  }

  private void readFrames(int count) throws MalformedFrameException, DamagedOutboxException {
    FrameDecoder decoder = new FrameDecoder(MAX_BODY_BYTES);
    Map<Integer, SeriesDefinition> defined = new HashMap<>();
    IntervalFrame figures = new IntervalFrame();
    while (intervals.size() < count) {
      int start = in.position();
      if (!decoder.next(in)) {
        throw new DamagedOutboxException(in.getLong(24), valuesRead(), "it ends early");
      }
      if (decoder.type() == FrameType.INTERVAL) {
        decoder.interval(figures);
        SeriesDefinition definition = defined.get(figures.seriesId());
        if (definition == null) {
          throw new DamagedOutboxException(in.getLong(24), valuesRead(), "a series is missing");
        }
        byte[] frame = Arrays.copyOfRange(bytes, start, in.position());
        intervals.add(
            new UpstreamInterval(
                figures.sequence(),
                figures.seriesId(),
                definition,
                figures.count(),
                ByteBuffer.wrap(frame)));
      } else if (decoder.type() == FrameType.SERIES
          && decoder.frame() instanceof Frame.Series series) {
        defined.put(series.id(), series.definition());
      }
    }
  }

  /** A mark that was being written when the process ended says what nobody had acted on. */
  private State marked(State written) {
    long sending = written.lastSent();
    long settled = 0;
    while (in.remaining() >= Outbox.MARK_BYTES) {
      int at = in.position();
      int checked = Outbox.MARK_BYTES - Integer.BYTES;
      if (in.getInt(at + checked) != crcOf(at, checked)) {
        break;
      }
      long sequence = in.getLong(at + Integer.BYTES);
      if (in.getInt(at) == Outbox.SENDING) {
        sending = Math.max(sending, sequence);
      } else {
        settled = Math.max(settled, sequence);
      }
      in.position(at + Outbox.MARK_BYTES);
    }
    long through = settled;
    return new State(
        written.instance(),
        written.position(),
        sending,
        written.intervals().stream().filter(i -> i.sequence() > through).toList());
  }

  private int crcOf(int from, int length) {
    crc.reset();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
