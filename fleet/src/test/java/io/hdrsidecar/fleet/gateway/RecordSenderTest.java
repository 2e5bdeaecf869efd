package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.receive.NotNowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order records become durable, and what a failed one does to those behind it. */
class RecordSenderTest {
  private static final int MEMORY = 1 << 20;

  private final GatewayMemory memory = GatewayMemory.of(256L << 20);
  private final HeapShare share = memory.records().atMost(MEMORY);
  private final GatewayCounters counters = new GatewayCounters();
  private final ExecutorService mergeContext = Executors.newSingleThreadExecutor();
  private final BlockingQueue<MockProducer<byte[], byte[]>> opened = new LinkedBlockingQueue<>();
  private final List<String> events = new ArrayList<>(); // Merge context.
  private final List<RuntimeException> broken = new CopyOnWriteArrayList<>();
  private @Nullable RecordSender sender;
  private final ProducedLog log =
      new ProducedLog(
          "hdr.intervals",
          share,
          counters,
          record -> running().send(record),
          this::endConnections,
          broken::add);
  private volatile boolean isMistaken;
  private final AtomicInteger mistakesOfOpen = new AtomicInteger();
  private final InstanceId instance = InstanceId.random();
  private final Sender from = () -> instance;
  private final FleetDestination destination =
      new FleetDestination(
          new SeriesKeys(memory.keys()), new byte[] {1, 2, 3}, 0, BucketLayout.of(1, 3));

  private Producer<byte[], byte[]> open() {
    if (mistakesOfOpen.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new IllegalStateException("a mistake");
    }
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    opened.add(producer);
    return producer;
  }

  private void endConnections() {
    events.add("end");
    if (isMistaken) {
      throw new IllegalStateException("a mistake");
    }
  }

  private void start() {
    RecordSender begun = new RecordSender(this::open, log, counters);
    sender = begun;
    log.start(mergeContext, () -> events.add("durable " + log.durableRecord()));
    begun.start(open());
    onMergeContext(() -> {});
  }

  @AfterEach
  void stop() {
    running().close();
    mergeContext.shutdownNow();
  }

  private RecordSender running() {
    return Objects.requireNonNull(sender);
  }

  private void onMergeContext(Runnable task) {
    try {
      mergeContext.submit(task).get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Whether it was taken. */
  private boolean produce(long sequence, int payloadBytes) {
    ByteBuffer body = ByteBuffer.allocate(IntervalFrame.FIXED_BYTES + payloadBytes);
    body.putLong(0, sequence).putInt(68, payloadBytes);
    IntervalFrame frame = new IntervalFrame();
    boolean[] taken = {true};
    onMergeContext(
        () -> {
          try {
            frame.read(body, 0, body.capacity());
            log.produce(from, destination, frame, body);
          } catch (NotNowException e) {
            taken[0] = false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return taken[0];
  }

  private MockProducer<byte[], byte[]> producer() throws InterruptedException {
    MockProducer<byte[], byte[]> next = opened.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private List<String> events() {
    List<String> copy = new ArrayList<>();
    onMergeContext(() -> copy.addAll(events));
    return copy;
  }

  private void awaitEvent(String event) throws Exception {
    RunningGateway.eventually(() -> events().contains(event));
  }

  @Test
  void acknowledged_outOfOrder_isDurableInOrder() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    for (int i = 1; i <= 3; i++) {
      assertThat(produce(i, 10)).isTrue();
    }
    RunningGateway.eventually(() -> producer.history().size() == 3);
    ProducerRecord<byte[], byte[]> first = producer.history().get(0);
    assertThat(first.key()).containsExactly(1, 2, 3);
    assertThat(ByteBuffer.wrap(first.value()).getLong(0)).isEqualTo(1);
    assertThat(InstanceHeader.read(first.headers())).isEqualTo(instance);

    assertThat(producer.completeNext()).isTrue();
    awaitEvent("durable 1");
    assertThat(producer.completeNext()).isTrue();
    assertThat(producer.completeNext()).isTrue();
    awaitEvent("durable 3");
    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void failed_nothingBehindItIsSentOrDurable_andAllConnectionsEnd() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    for (int i = 1; i <= 3; i++) {
      assertThat(produce(i, 10)).isTrue();
    }
    RunningGateway.eventually(() -> producer.history().size() == 3);

    assertThat(producer.completeNext()).isTrue();
    awaitEvent("durable 1");
    assertThat(producer.errorNext(new TopicAuthorizationException("no"))).isTrue();

    awaitEvent("end");
    assertThat(producer.closed()).isTrue();
    assertThat(produce(4, 10)).isFalse();
    // Connections have ended before what was given up counts as done.
    assertThat(events()).containsSubsequence("durable 1", "end", "durable 3");
    assertThat(counters.trouble()).contains("Kafka refuses records");
    assertThat(share.heldBytes()).isZero();

    MockProducer<byte[], byte[]> second = producer();
    RunningGateway.eventually(() -> counters.trouble().isEmpty());
    assertThat(produce(2, 10)).isTrue();
    RunningGateway.eventually(() -> second.history().size() == 1);
    assertThat(second.completeNext()).isTrue();
    awaitEvent("durable 4");
  }

  /** Neither thread waits for the other for ever, and the process is told to end. */
  @Test
  void mistakeOnTheMergeContext_isReportedAndNobodyWaits() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    isMistaken = true;
    assertThat(produce(1, 10)).isTrue();
    RunningGateway.eventually(() -> producer.history().size() == 1);

    assertThat(producer.errorNext(new TopicAuthorizationException("no"))).isTrue();

    assertThat(producer()).as("the sender goes on").isNotNull();
    assertThat(broken).singleElement().asString().contains("a mistake");
  }

  @Test
  void openThatFailsUnexpectedly_isTriedAgain() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    assertThat(produce(1, 10)).isTrue();
    RunningGateway.eventually(() -> producer.history().size() == 1);
    mistakesOfOpen.set(1);

    assertThat(producer.errorNext(new TopicAuthorizationException("no"))).isTrue();

    assertThat(producer()).isNotNull();
    assertThat(mistakesOfOpen).hasValue(0);
    assertThat(broken).isEmpty();
  }

  /** What is said of a series has memory of its own, which nobody else would give back. */
  @Test
  void descriptionThatCannotBeSent_givesItsMemoryBack() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    producer.sendException = new IllegalStateException("no");

    new DescriptionSender("hdr.series", share, counters, record -> running().send(record))
        .tell(destination, new SeriesDescription("help", 5));

    awaitEvent("end");
    RunningGateway.eventually(() -> share.heldBytes() == 0);
  }

  @Test
  void memory_isFullBeforeItIsGone_andNothingIsTakenBeyondIt() throws Exception {
    start();
    MockProducer<byte[], byte[]> producer = producer();
    awaitEvent("durable 0");
    int taken = 0;
    int takenWhenFull = 0;
    while (produce(taken + 1, 50_000)) {
      taken++;
      boolean[] isFull = {false};
      onMergeContext(() -> isFull[0] = log.isFull());
      takenWhenFull = isFull[0] && takenWhenFull == 0 ? taken : takenWhenFull;
    }
    assertThat(takenWhenFull).isBetween(1, taken - 1);
    assertThat(share.heldBytes()).isLessThanOrEqualTo(MEMORY);

    int all = taken;
    RunningGateway.eventually(() -> producer.history().size() == all);
    while (producer.completeNext()) {
      // Until all are there.
    }
    awaitEvent("durable " + taken);
    assertThat(share.heldBytes()).isZero();
    assertThat(produce(taken + 1, 50_000)).isTrue();
  }
}
