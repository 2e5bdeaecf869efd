package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sidecar for tests: speaks the protocol over a real socket, merges what it accepts, notes every
 * breach of the protocol, and misbehaves as told. One thread per connection; state under one lock.
 * It can be stopped and started again at the same address, with what it has merged.
 */
public final class TestPeer implements AutoCloseable {
  private static final int MAX_BODY_BYTES = 1 << 20;

  private SocketAddress address;
  private @Nullable ServerSocketChannel server;
  private final List<SocketChannel> open = new ArrayList<>();

  private final Map<InstanceId, Long> lastSequences = new HashMap<>();
  private final PeerLedger ledger = new PeerLedger();
  private final List<Frame.Hello> hellos = new ArrayList<>();
  private Map<String, Long> health = Map.of();
  private int newIntervals;
  private int goodbyes;

  private Judge judge = (n, series) -> Verdict.ACKNOWLEDGE;
  private Frame.Welcome limits = new Frame.Welcome(FrameEncoder.VERSION, 0, MAX_BODY_BYTES, 64, 1);
  private String refusedSeries = "";
  private int refuseConnections;
  private boolean silent;
  private boolean badWelcome;

  private TestPeer(SocketAddress address) {
    this.address = address;
  }

  /** On a free TCP port of the loopback interface. */
  public static TestPeer onTcp() throws IOException {
    TestPeer peer = new TestPeer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    peer.start();
    return peer;
  }

  /** On a Unix domain socket. */
  public static TestPeer onUnixSocket(Path path) throws IOException {
    TestPeer peer = notYetOn(path);
    peer.start();
    return peer;
  }

  /** For a Unix domain socket, not listening yet. */
  public static TestPeer notYetOn(Path path) {
    return new TestPeer(UnixDomainSocketAddress.of(path));
  }

  /** Listens, again at the same address if it did before. */
  public synchronized void start() throws IOException {
    ServerSocketChannel listening;
    if (address instanceof UnixDomainSocketAddress unix) {
      Files.deleteIfExists(unix.getPath());
      listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    } else {
      listening = ServerSocketChannel.open();
    }
    listening.bind(address);
    address = listening.getLocalAddress();
    server = listening;
    spawn(() -> accept(listening));
  }

  @Override
  public void close() throws IOException {
    stop();
  }

  /** Closes the socket and all connections; it can start again. */
  public synchronized void stop() throws IOException {
    if (server != null) {
      server.close();
    }
    for (SocketChannel channel : open) {
      channel.close();
    }
    open.clear();
  }

  /** Takes so many intervals of each client for settled; 0 as after a restart without a journal. */
  public synchronized void settledOfAll(long sequence) {
    lastSequences.replaceAll((id, last) -> sequence);
  }

  /** What {@link SidecarAddress} reads. */
  public String address() {
    return address instanceof UnixDomainSocketAddress unix
        ? "unix://" + unix.getPath()
        : "tcp://127.0.0.1:" + ((InetSocketAddress) address).getPort();
  }

  public synchronized void judge(Judge decides) {
    judge = decides;
  }

  public synchronized void limits(int maxBodyBytes, int maxInFlight, int deflateLevel) {
    grants(new Frame.Welcome(FrameEncoder.VERSION, 0, maxBodyBytes, maxInFlight, deflateLevel));
  }

  public synchronized void grants(Frame.Welcome welcome) {
    limits = welcome;
  }

  public synchronized void refuseSeries(String name) {
    refusedSeries = name;
  }

  public synchronized void refuseConnections(int count) {
    refuseConnections = count;
  }

  public synchronized void readNothingMore(boolean nothing) {
    silent = nothing;
    notifyAll();
  }

  public synchronized void badWelcome(boolean bad) {
    badWelcome = bad;
  }

  /** What was merged of a series, by its key as text. */
  public synchronized @Nullable Accumulation merged(String key) {
    return ledger.merged(key);
  }

  public synchronized List<String> mergedKeys() {
    return ledger.mergedKeys();
  }

  public synchronized long mergedValues() {
    return ledger.mergedValues();
  }

  public synchronized List<String> breaches() {
    return ledger.breaches();
  }

  public synchronized List<Frame.Hello> hellos() {
    return List.copyOf(hellos);
  }

  public synchronized int newIntervals() {
    return newIntervals;
  }

  public synchronized int goodbyes() {
    return goodbyes;
  }

  public synchronized Map<String, Long> health() {
    return health;
  }

  public synchronized long longestMillis() {
    return ledger.longestMillis();
  }

  private static void spawn(Runnable work) {
    Thread thread = new Thread(work, "test-peer");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocketChannel listening) {
    try {
      while (true) {
        SocketChannel channel = listening.accept();
        synchronized (this) {
          if (!listening.isOpen()) {
            channel.close(); // Came while the peer was being stopped, in time for the last accept.
          }
          open.add(channel);
        }
        spawn(() -> serve(channel));
      }
    } catch (IOException e) {
      return; // Stopped.
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      new Conversation(channel).run();
    } catch (IOException e) {
      return; // The client went away, or the peer was stopped.
    } catch (MalformedFrameException e) {
      breach("malformed: " + e.getMessage());
    }
  }

  private synchronized void breach(String what) {
    ledger.breach(what);
  }

  private final class Conversation {
    private final SocketChannel channel;
    private final FrameDecoder decoder = new FrameDecoder(MAX_BODY_BYTES);
    private final FrameEncoder encoder = new FrameEncoder();
    private final IntervalFrame interval = new IntervalFrame();
    private final Map<Integer, SeriesDefinition> series = new HashMap<>();
    private ByteBuffer in = ByteBuffer.allocate(2 * MAX_BODY_BYTES);
    private @Nullable InstanceId instance;
    private Frame.Welcome granted = limits;
    private int unanswered;
    private boolean ended;

    Conversation(SocketChannel channel) {
      this.channel = channel;
    }

    void run() throws IOException, MalformedFrameException {
      while (!ended && channel.read(in) >= 0) {
        in.flip();
        while (!ended && decoder.next(in)) {
          onFrame();
        }
        in.compact();
        waitWhileSilent();
      }
    }

    private void waitWhileSilent() {
      synchronized (TestPeer.this) {
        while (silent && instance != null && channel.isOpen()) {
          try {
            TestPeer.this.wait(20);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      }
    }

    private void onFrame() throws IOException, MalformedFrameException {
      synchronized (TestPeer.this) {
        if (decoder.type() == FrameType.INTERVAL) {
          decoder.interval(interval);
          onInterval();
          return;
        }
        Frame frame = decoder.frame();
        if (frame instanceof Frame.Hello hello) {
          onHello(hello);
        } else if (instance == null) {
          ledger.breach(decoder.type() + " before HELLO");
        } else if (frame instanceof Frame.Series declared) {
          onSeries(declared);
        } else if (frame instanceof Frame.Health figures) {
          health = figures.figures();
        } else if (frame instanceof Frame.Goodbye) {
          goodbyes++;
          ended = true;
        } else {
          ledger.breach("unexpected " + decoder.type());
        }
      }
    }

    private void onHello(Frame.Hello hello) throws IOException {
      hellos.add(hello);
      if (refuseConnections > 0) {
        refuseConnections--;
        send(
            encoder.reject(
                Frame.Reject.Scope.CONNECTION, 0, RejectReason.UNAUTHORIZED, "wrong token"));
        ended = true;
        return;
      }
      instance = hello.instance();
      granted = limits;
      encoder.welcome(
          new Frame.Welcome(
              limits.version(),
              lastSequences.getOrDefault(hello.instance(), 0L),
              limits.maxBodyBytes(),
              limits.maxInFlight(),
              limits.deflateLevel(),
              limits.path()));
      byte[] bytes = encoder.take();
      if (badWelcome) {
        bytes[12] ^= 1;
      }
      write(bytes);
    }

    private void onSeries(Frame.Series declared) throws IOException {
      if (series.put(declared.id(), declared.definition()) != null) {
        ledger.breach("series declared twice: " + declared.id());
      }
      if (declared.definition().key().name().equals(refusedSeries)) {
        series.remove(declared.id());
        send(
            encoder.reject(
                Frame.Reject.Scope.SERIES, declared.id(), RejectReason.SERIES_LIMIT, "no room"));
      }
    }

    private void onInterval() throws IOException, MalformedFrameException {
      InstanceId from = instance;
      if (from == null) {
        ledger.breach("INTERVAL before HELLO");
        return;
      }
      unanswered++;
      if (interval.payloadLength() + 72 > granted.maxBodyBytes()) {
        ledger.breach("body longer than " + granted.maxBodyBytes());
      }
      if (unanswered > granted.maxInFlight()) {
        ledger.breach("window of " + granted.maxInFlight() + " exceeded");
      }
      long last = lastSequences.getOrDefault(from, 0L);
      SeriesDefinition definition = series.get(interval.seriesId());
      if (interval.sequence() <= last) {
        acknowledge(last);
      } else if (definition == null) {
        lastSequences.put(from, interval.sequence());
        reject(RejectReason.UNKNOWN_SERIES);
      } else {
        onNewInterval(from, definition);
      }
    }

    private void onNewInterval(InstanceId from, SeriesDefinition definition)
        throws IOException, MalformedFrameException {
      Verdict verdict = judge.judge(++newIntervals, definition);
      if (verdict == Verdict.CLOSE) {
        ended = true;
        return;
      }
      lastSequences.put(from, interval.sequence());
      if (verdict == Verdict.REJECT) {
        reject(RejectReason.COUNT_OVERFLOW);
        return;
      }
      ledger.merge(definition, interval, in.array());
      switch (verdict) {
        case ACKNOWLEDGE -> acknowledge(interval.sequence());
        case MERGE_AND_CLOSE -> ended = true;
        case MERGE_AND_SEND_GARBAGE ->
            write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        case MERGE_AND_ACKNOWLEDGE_TOO_MUCH -> acknowledge(interval.sequence() + 1000);
        default -> {}
      }
    }

    private void reject(RejectReason reason) throws IOException {
      unanswered--;
      send(
          encoder.reject(
              Frame.Reject.Scope.INTERVAL, interval.sequence(), reason, "refused by the test"));
    }

    private void acknowledge(long sequence) throws IOException {
      unanswered = 0;
      send(encoder.ack(sequence));
    }

    private void send(FrameEncoder written) throws IOException {
      write(written.take());
    }

    private void write(byte[] bytes) throws IOException {
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        channel.write(out);
      }
    }
  }
}
