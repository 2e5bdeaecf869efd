package io.hdrsidecar.fleet.demo;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The upstream end of one sidecar, as a gateway sees it: HELLO with where it runs, its series, then
 * intervals with numbers of its own, never more of them unanswered than WELCOME allows, and HEALTH.
 * One that is refused or cut off is an error: nothing here sends anything again. One thread.
 */
final class SimulatedSidecar {
  /** What all series are called; they differ in the label {@code route}. */
  static final String NAME = "http_server_requests";

  private static final int ANSWER_BYTES = 4 << 10;

  private final int number;
  private final LoadShape shape;
  private final LoadPayloads payloads;
  private final SocketChannel socket;
  private final SelectionKey key;
  private final FrameEncoder out = new FrameEncoder();
  private final FrameDecoder decoder = new FrameDecoder(ANSWER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocate(2 * ANSWER_BYTES).limit(0);
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private long maxInFlight;
  private long sent;
  private long settled;

  SimulatedSidecar(int number, LoadShape shape, LoadPayloads payloads, int port, Selector selector)
      throws IOException {
    this.number = number;
    this.shape = shape;
    this.payloads = payloads;
    socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.configureBlocking(false);
    key = socket.register(selector, SelectionKey.OP_READ, this);
    out.hello(
        new Frame.Hello(
            FrameEncoder.VERSION,
            InstanceId.random(),
            Labels.empty(),
            "",
            Labels.of(
                "namespace",
                "prod",
                "deployment",
                deployment(shape.deploymentOf(number)),
                "pod",
                "pod-" + number)));
    flush();
  }

  /** The name of a deployment. */
  static String deployment(int number) {
    return "deployment-" + number;
  }

  private static SeriesDefinition definition(int series) {
    Labels labels =
        Labels.of("method", "GET", "route", "/api/v1/resource-" + series, "status", "200");
    return new SeriesDefinition(
        new SeriesKey(NAME, labels),
        Unit.NANOSECONDS,
        "Duration of requests.",
        LoadPayloads.LAYOUT,
        LoadPayloads.HIGHEST);
  }

  /** Whether WELCOME has come. */
  boolean isOpen() {
    return maxInFlight > 0;
  }

  /** Whether all that was sent is acknowledged. */
  boolean isSettled() {
    return settled == sent;
  }

  /** Intervals sent. */
  long sent() {
    return sent;
  }

  /** Intervals acknowledged. */
  long settled() {
    return settled;
  }

  /** Whether the window has room for a whole turn. */
  boolean hasRoom() {
    return sent - settled + shape.series() <= maxInFlight;
  }

  /**
   * An interval of each series, that ends now, and HEALTH.
   *
   * @param picked for each series, which payload
   */
  void handOn(int[] picked, long nowMillis) throws IOException {
    for (int id = 0; id < shape.series(); id++) {
      sent++;
      payloads.write(out, picked[id], sent, id, nowMillis - shape.intervalMillis(), nowMillis);
    }
    Map<String, Long> health = new LinkedHashMap<>();
    for (ClientFigure figure : ClientFigure.values()) {
      health.put(figure.figure(), figure == ClientFigure.SENT_INTERVALS ? sent : 0);
    }
    out.health(health);
    flush();
  }

  /** Nothing more will come. */
  void sayGoodbye() throws IOException {
    out.goodbye();
    flush();
    socket.close();
  }

  /** The socket can be read or written. */
  void onReady() throws IOException {
    if (key.isReadable()) {
      read();
    }
    flush();
  }

  private void read() throws IOException {
    in.compact();
    int read = socket.read(in);
    in.flip();
    if (read < 0) {
      throw new IOException("the gateway has closed the connection of sidecar " + number);
    }
    try {
      while (decoder.next(in)) {
        take(decoder.frame());
      }
    } catch (MalformedFrameException e) {
      throw new IOException("what the gateway answers is no frame", e);
    }
  }

  private void take(Frame answer) throws IOException {
    if (answer instanceof Frame.Ack ack) {
      settled = ack.sequence();
    } else if (answer instanceof Frame.Welcome welcome && !isOpen()) {
      maxInFlight = welcome.maxInFlight();
      for (int id = 0; id < shape.series(); id++) {
        out.series(id, definition(id));
      }
    } else {
      throw new IOException("sidecar " + number + " was answered " + answer);
    }
  }

  private void flush() throws IOException {
    while (rest.hasRemaining() || out.size() > 0) {
      if (!rest.hasRemaining()) {
        rest = ByteBuffer.wrap(out.take());
      }
      if (socket.write(rest) == 0) {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        return;
      }
    }
    key.interestOps(SelectionKey.OP_READ);
  }
}
