package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the script of a case works with: the client's process, its program, the place where it
 * connects, and the ledger. Scripts run on one thread; when the time is over another closes all
 * sockets, so that whatever they wait for ends.
 */
final class CaseStage implements AutoCloseable {
  private static final int USUAL_BODY = 1 << 20;
  private static final int USUAL_IN_FLIGHT = 64;

  private final ScheduledExecutorService watch;
  private final Kit kit;
  private final Path folder;
  private final SplittableRandom random;
  private final ClientProgram program;
  private final IntervalLedger ledger = new IntervalLedger();
  private final ExpectedClient expected;
  private final Map<String, String> variables = new TreeMap<>();
  private final Map<String, Integer> settings = new LinkedHashMap<>();
  private final List<Closeable> open = new CopyOnWriteArrayList<>();

  private final Queue<Cut> cuts = new ArrayDeque<>();

  private record Cut(FrameType type, int place) {}

  private Frame.Welcome limits =
      new Frame.Welcome(FrameEncoder.VERSION, 0, USUAL_BODY, USUAL_IN_FLIGHT, 1);
  private boolean compares = true;
  private @Nullable KitListener listener;
  private @Nullable ClientProcess client;
  private int connections;
  private Law law = Law.END;
  private @Nullable ScheduledFuture<?> end;
  private volatile boolean timeIsOver;

  CaseStage(Kit kit, Path folder, SplittableRandom random, ScheduledExecutorService watch) {
    this.watch = watch;
    this.kit = kit;
    this.folder = folder;
    this.random = random;
    this.program = new ClientProgram(random.split());
    this.expected = new ExpectedClient(kit, program, ledger);
    variables.put("HDR_SIDECAR_INTERVAL", "20ms");
    settings.put("close_timeout_ms", 60_000);
    settings.put("stall_timeout_ms", 20_000);
    settings.put("min_backoff_ms", 5);
    settings.put("max_backoff_ms", 40);
  }

  SplittableRandom random() {
    return random;
  }

  ClientProgram program() {
    return program;
  }

  IntervalLedger ledger() {
    return ledger;
  }

  /** What the client has to say of itself. */
  ExpectedClient expected() {
    return expected;
  }

  Path folder() {
    return folder;
  }

  Kit kit() {
    return kit;
  }

  /** What WELCOME says from now on. */
  void limits(int maxBodyBytes, int maxInFlight, int deflateLevel) {
    limits = new Frame.Welcome(FrameEncoder.VERSION, 0, maxBodyBytes, maxInFlight, deflateLevel);
  }

  Frame.Welcome limits() {
    return limits;
  }

  /** A variable of the environment; before the client starts. */
  void variable(String name, String value) {
    variables.put(name, value);
  }

  /** A setting of the client that has no variable, in milliseconds; before the client starts. */
  void setting(String name, int millis) {
    settings.put(name, millis);
  }

  /** What the case is about from now on: if it cannot go on, this law is broken. */
  void about(Law broken) {
    law = broken;
  }

  Law law() {
    return law;
  }

  /** What is delivered is not what the case is about. */
  void comparesNothing() {
    compares = false;
  }

  /** Cuts one more connection, the next that is not cut yet, within a frame of the client. */
  void cutLater(FrameType type, int place) {
    cuts.add(new Cut(type, place));
  }

  /** How many connections are still to be cut. */
  int cutsLeft() {
    return cuts.size();
  }

  /** Starts to listen; at a TCP port unless said otherwise. */
  KitListener listen(KitListener opened) {
    listener = opened;
    open.add(opened);
    variables.put("HDR_SIDECAR_ADDRESS", opened.address());
    return opened;
  }

  /** Starts the client, with the series of the program. */
  void start() throws IOException {
    if (listener == null && !variables.containsKey("HDR_SIDECAR_ADDRESS")) {
      listen(KitListener.tcp());
    }
    ClientProcess started =
        ClientProcess.start(
            kit.command(), variables, folder.resolve("client.txt"), this::stopListening);
    client = started;
    end = watch.schedule(this::timeIsOver, kit.limit().toMillis(), TimeUnit.MILLISECONDS);
    List<String> lines = new ArrayList<>();
    settings.forEach((name, value) -> lines.add("set " + name + " " + value));
    program.series().forEach(series -> lines.add(series.line()));
    tell(lines);
  }

  /** Nobody is there any more for a client that connects. */
  void stopListening() {
    KitListener listening = listener;
    if (listening != null) {
      try {
        listening.close();
      } catch (IOException e) {
        ledger.breach(Law.END, "a listener that closes", e.toString(), "");
      }
    }
  }

  /** Has the client read these lines. */
  void tell(List<String> lines) throws IOException {
    ClientProcess running = client();
    try {
      running.tell(lines);
    } catch (IOException e) {
      throw new CaseEndException("the client does not read its program: " + e.getMessage());
    }
  }

  /** Has the client record so many values, spread over all series. */
  void record(int values) throws IOException {
    tell(program.record(values));
  }

  /** Has the client close. */
  void closeClient() throws IOException {
    tell(List.of("close"));
  }

  /** A program of so many series, of which values are recorded at once. */
  void startWith(int series, int values) throws IOException {
    program.addSeries(series);
    start();
    record(values);
  }

  private ClientProcess client() {
    ClientProcess running = client;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  /** The next connection that says hello. */
  ClientConversation connection() throws IOException {
    ClientConversation next = connectionIfAny();
    if (next == null) {
      throw new CaseEndException("expected another connection, but the client ended");
    }
    return next;
  }

  /** The same; null once the client has ended. */
  @Nullable ClientConversation connectionIfAny() throws IOException {
    while (true) {
      Link link = accept();
      if (link == null) {
        return null;
      }
      if (isStranger(link)) {
        link.close();
        continue;
      }
      ClientConversation conversation = new ClientConversation(this, link, ++connections);
      Cut cut = cuts.poll();
      if (cut != null) {
        conversation.cutIn(cut.type(), cut.place());
      }
      if (conversation.hello()) {
        return conversation;
      }
    }
  }

  private boolean isStranger(Link link) {
    try {
      return link.isHttp();
    } catch (IOException e) {
      checkTime("the first byte of a connection");
      return true; // It ended without one, or the handshake of TLS failed.
    }
  }

  /** The next connection, whatever comes on it; null once the client has ended. */
  @Nullable Link accept() throws IOException {
    KitListener listening = listener;
    if (listening == null) {
      return null;
    }
    try {
      Link link = listening.accept();
      open.add(link);
      return link;
    } catch (IOException e) {
      checkTime("a connection");
      return null; // Closed, as the client has ended.
    }
  }

  /** Serves well from here on, until the client has ended. */
  void finish() throws IOException, InterruptedException {
    finish(ClientConversation.Answers.ALL);
  }

  /** The same with other answers. */
  void finish(ClientConversation.Answers answers) throws IOException, InterruptedException {
    for (ClientConversation next = connectionIfAny(); next != null; next = connectionIfAny()) {
      next.welcome();
      finish(next, answers);
    }
    awaitEnd();
  }

  /** Has the client close, and serves well until it has ended. */
  void closeAndFinish() throws IOException, InterruptedException {
    closeClient();
    finish();
  }

  /** The same from a connection on that is open. */
  void closeAndFinish(ClientConversation conversation) throws IOException, InterruptedException {
    closeClient();
    finish(conversation, ClientConversation.Answers.ALL);
    finish();
  }

  /** Serves this connection to its end. */
  void finish(ClientConversation conversation, ClientConversation.Answers answers)
      throws IOException {
    if (conversation.serve(answers)) {
      expected.mayStartOver();
      conversation.endWell();
    }
  }

  /** The client ends by itself. */
  int awaitExit() throws InterruptedException {
    int exit = client().await();
    checkTime("the end of the client");
    return exit;
  }

  /** The client ends by itself, and well. */
  void awaitEnd() throws InterruptedException {
    int exit = awaitExit();
    if (exit != 0) {
      ledger.breach(Law.END, "exit code 0", "exit code " + exit, "the client's program");
    }
    if (compares) {
      ledger.compare(program.expected());
    }
  }

  /** Throws what ends the script when its time is over. */
  void checkTime(String waitedFor) {
    if (timeIsOver) {
      throw new CaseEndException(
          "waited for "
              + waitedFor
              + ", and the time of "
              + kit.limit().toSeconds()
              + " s is over");
    }
  }

  /** Any thread: ends all that the script waits for. */
  private Object timeIsOver() throws IOException {
    timeIsOver = true;
    closeAll();
    return this;
  }

  /** What the client printed last. */
  List<String> lastLines() throws IOException {
    return client == null ? List.of() : client().lastLines();
  }

  @Override
  public void close() throws IOException {
    if (end != null) {
      end.cancel(false);
    }
    closeAll();
  }

  private void closeAll() throws IOException {
    ClientProcess running = client;
    if (running != null) {
      running.kill();
    }
    for (Closeable closeable : open) {
      closeable.close();
    }
  }
}
