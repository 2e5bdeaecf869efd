package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.StoreClock;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.receive.ReceiveLimits;
import io.hdrsidecar.tests.support.Eventually;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whole conversations over real sockets, frames out of order, twice, changed, cut and of several
 * connections at a time: the server lives on, and what it counts is what it has acknowledged.
 */
final class SessionsFuzzIT {
  private static final int MAX_BODY_BYTES = ReceiveLimits.defaults().maxBodyBytes();
  private static final int MOST_CONNECTIONS = 3;
  private static final int READ_MILLIS = 30_000;

  private final Queue<Throwable> escaped = new ConcurrentLinkedQueue<>();
  private final SidecarConfig config = SmallSidecar.config();
  private final SeriesStore store = new SeriesStore(config.merge());
  private final FrameServer server = new FrameServer(config.receive(), store);
  private final Vertx vertx = Vertx.vertx();
  private final SessionMaker maker = new SessionMaker();

  /** One connection and what was sent over it. */
  private static final class Conversation {
    private final Socket socket;
    private final byte[] bytes;

    Conversation(Socket socket, byte[] bytes) {
      this.socket = socket;
      this.bytes = bytes;
    }
  }

  @BeforeEach
  void start() throws Exception {
    vertx.exceptionHandler(escaped::add);
    vertx
        .deployVerticle(server)
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
    new StoreClock(vertx, server.mergeContext(), store, server::sweep).start();
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void converse_damagedSessionsOverSockets_countsExactlyWhatIsAcknowledged() throws Exception {
    Fuzz.run("sessions", this::feed);
    Eventually.holds(() -> assertThat(server.counters().connections()).isZero());
  }

  private void feed(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    long before = counted();
    List<Conversation> conversations = new ArrayList<>();
    for (int i = random.nextInt(1, MOST_CONNECTIONS + 1); i > 0; i--) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort());
      socket.setSoTimeout(READ_MILLIS);
      conversations.add(new Conversation(socket, maker.session(random)));
    }
    sendInterleaved(conversations, random);
    long acknowledged = 0;
    for (Conversation conversation : conversations) {
      conversation.socket.shutdownOutput();
      byte[] answers = conversation.socket.getInputStream().readAllBytes();
      conversation.socket.close();
      acknowledged += AnswerLedger.acknowledgedValues(conversation.bytes, answers, MAX_BODY_BYTES);
      tally.add(AnswerLedger.isWithoutRefusal(answers));
    }
    assertThat(counted() - before).as("values counted").isEqualTo(acknowledged);
    assertThat(escaped).isEmpty();
  }

  /** A chunk of one, a chunk of another: each in order, all mixed. */
  private static void sendInterleaved(List<Conversation> conversations, SplittableRandom random)
      throws IOException {
    int[] sent = new int[conversations.size()];
    boolean more = true;
    while (more) {
      more = false;
      for (int i = 0; i < sent.length; i++) {
        byte[] bytes = conversations.get(i).bytes;
        int length = Math.min(1 + random.nextInt(2000), bytes.length - sent[i]);
        conversations.get(i).socket.getOutputStream().write(bytes, sent[i], length);
        sent[i] += length;
        more |= sent[i] < bytes.length;
      }
    }
  }

  private long counted() {
    long count = 0;
    Distribution total = new Distribution();
    for (Series series : store.series()) {
      series.readTotal(total);
      count += total.count();
    }
    return count;
  }
}
