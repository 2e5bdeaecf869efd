package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One connection's worth of an attack, again and again until it is interrupted. */
final class Attack {
  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final int UPLOAD_BYTES = 16 << 20;
  private static final long HOLD_MILLIS = 20_000;

  private static final byte[] LONG_FRAME =
      new FrameEncoder()
          .interval(1, 1, figures(counted()), ByteBuffer.wrap(new byte[(1 << 20) - 200]))
          .take();

  private final URI ingest;
  private final URI http;
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong labelSets = new AtomicLong();

  Attack(String ingestAddress, URI http) {
    this.ingest = URI.create(ingestAddress);
    this.http = http;
  }

  /** Connections cut and requests answered with 503 or 413 so far. */
  long refused() {
    return refused.get();
  }

  /** Label sets declared so far. */
  long labelSets() {
    return labelSets.get();
  }

  /** The kinds, by name. */
  void run(String kind) throws IOException, InterruptedException {
    switch (kind) {
      case "frames" -> unfinishedFrame();
      case "labels" -> labelSets(1950);
      case "short-labels" -> labelSets(11);
      case "uploads" -> upload();
      case "queries" -> get("/api/v1/overview");
      case "scrapes" -> get("/metrics");
      case "slow-scrapes" -> slowReader();
      default -> throw new IllegalArgumentException("no such attack: " + kind);
    }
  }

  /** A frame of 1 MiB but for its last bytes. */
  private void unfinishedFrame() throws IOException, InterruptedException {
    try (Socket socket = connect(ingest)) {
      OutputStream out = socket.getOutputStream();
      out.write(hello());
      out.write(LONG_FRAME, 0, LONG_FRAME.length - 100);
      out.flush();
      awaitEnd(socket.getInputStream());
    }
  }

  private void awaitEnd(InputStream in) throws IOException {
    byte[] answers = new byte[4096];
    while (in.read(answers) >= 0) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
    refused.incrementAndGet();
  }

  /** Declares label sets of up to 2000 characters and sends an interval of each. */
  private void labelSets(int mostCharacters) throws IOException {
    SplittableRandom random = new SplittableRandom(ThreadLocalRandom.current().nextLong());
    Accumulation counted = counted();
    try (Socket socket = connect(ingest);
        HistogramEncoder histograms = new HistogramEncoder()) {
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write(hello());
      FrameEncoder frames = new FrameEncoder();
      byte[] answers = new byte[64 << 10];
      for (int sequence = 1; !Thread.currentThread().isInterrupted(); sequence++) {
        int id = sequence % 1000 + 1;
        int length = random.nextInt(10, mostCharacters);
        frames.series(id, definition(Long.toString(labelSets.incrementAndGet()), length));
        frames.interval(
            sequence, id, figures(counted), histograms.encode(counted.counts(), HIGHEST, 0));
        if (frames.size() > 32 << 10) {
          out.write(frames.take());
          while (in.available() > 0 && in.read(answers) > 0) {
            // What it says is of no interest, but it must be read.
          }
        }
      }
    }
  }

  private static SeriesDefinition definition(String number, int length) {
    String value = number + "x".repeat(Math.max(0, length - number.length()));
    Labels labels = Labels.of("a", value.substring(0, Math.min(250, value.length())));
    for (int i = 1; i * 250 < value.length() && i < 20; i++) {
      labels =
          labels.and(
              Labels.of(
                  "l" + i, value.substring(i * 250, Math.min(value.length(), (i + 1) * 250))));
    }
    return new SeriesDefinition(
        new SeriesKey("flood", labels), Unit.NANOSECONDS, "", LAYOUT, HIGHEST);
  }

  /** An upload of 16 MiB, with long tags. */
  private void upload() throws IOException, InterruptedException {
    String line = uploadLine();
    byte[] lines = line.repeat(64).getBytes(StandardCharsets.UTF_8);
    try (Socket socket = connect(http)) {
      OutputStream out = socket.getOutputStream();
      int length = UPLOAD_BYTES / lines.length * lines.length;
      out.write(
          ("POST /api/v1/intervals?name=up"
                  + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: "
                  + length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      for (int written = 0; written < length; written += lines.length) {
        out.write(lines);
      }
      answer(socket);
    }
  }

  private static String uploadLine() {
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      ByteBuffer payload = histograms.encode(counted().counts(), HIGHEST, 6);
      byte[] bytes = new byte[payload.remaining()];
      payload.get(bytes);
      String tag = "t" + ThreadLocalRandom.current().nextInt(300) + "y".repeat(200);
      return "Tag="
          + tag
          + ",1.0,1.0,0.1,"
          + java.util.Base64.getEncoder().encodeToString(bytes)
          + "\n";
    }
  }

  private void get(String path) throws IOException, InterruptedException {
    try (Socket socket = connect(http)) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      answer(socket);
    }
    Thread.sleep(50);
  }

  private void answer(Socket socket) throws IOException {
    byte[] answer = new byte[8192];
    InputStream in = socket.getInputStream();
    int count = in.read(answer);
    String head = new String(answer, 0, Math.max(0, count), StandardCharsets.US_ASCII);
    if (count < 0 || head.startsWith("HTTP/1.1 503") || head.startsWith("HTTP/1.1 413")) {
      refused.incrementAndGet();
    }
    socket.setSoTimeout(5_000);
    long bytes = 0;
    while (!head.contains("HTTP/1.1 4") && (count = in.read(answer)) > 0 && bytes < 1L << 28) {
      bytes += count;
    }
  }

  /** Asks for the page and reads none of it. */
  private void slowReader() throws IOException, InterruptedException {
    try (Socket socket = connect(http)) {
      socket.setReceiveBufferSize(4096);
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      Thread.sleep(HOLD_MILLIS);
    }
  }

  private static Socket connect(URI address) throws IOException {
    Socket socket = new Socket(address.getHost(), address.getPort());
    socket.setSoTimeout((int) (3 * HOLD_MILLIS));
    return socket;
  }

  private static byte[] hello() {
    return new FrameEncoder()
        .hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""))
        .take();
  }

  private static Accumulation counted() {
    Accumulation counted = new Accumulation(LAYOUT);
    long[] values = {5_000_000, 70_000_000, 900_000_000};
    Arrays.stream(values).forEach(value -> counted.counts().add(LAYOUT.indexOf(value), 1));
    counted.sum().add(Arrays.stream(values).sum());
    counted.widen(values[0], values[2]);
    return counted;
  }

  private static IntervalHeader figures(Accumulation counted) {
    long now = System.currentTimeMillis();
    return IntervalHeader.of(counted, now - 1000, now);
  }
}
