package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.kafka.FoundTopic;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.kafka.TopicsException;
import io.hdrsidecar.sidecar.OwnVertx;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.Stages;
import io.hdrsidecar.sidecar.StartFailedException;
import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;

/** A running gateway: one event loop that takes frames, and one thread that produces. */
final class Gateway implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Gateway.class.getName());
  private static final long START_SECONDS = 30;
  private static final Duration STOP_TIME = Duration.ofSeconds(10);

  private static final long SWEEP_MILLIS = 1000;

  /** What Kafka writes around the records of a batch. */
  private static final int BATCH_BYTES = 128;

  private final GatewayConfig config;
  private final GatewayMemory memory;
  private final Map<String, Object> properties;
  private final GatewayCounters counters = new GatewayCounters();
  private final SelfMetrics selfMetrics = new SelfMetrics(Version.text());
  private final RecordSender sender;
  private final ProducedLog log;
  private final FrameServer frameServer;
  private final GatewayServer httpServer;
  private final Vertx vertx;
  private final Stages stages;
  private volatile boolean isEnding;

  private Gateway(
      GatewayConfig config,
      GatewayMemory memory,
      Map<String, Object> properties,
      Runnable onFailure) {
    this.config = config;
    this.memory = memory;
    this.properties = properties;
    HeapShare records = memory.records();
    String intervals = config.kafka().topics().intervals();
    this.log =
        new ProducedLog(
            intervals,
            records,
            counters,
            this::send,
            this::endConnections,
            cause -> broken(cause, onFailure));
    this.sender = new RecordSender(this::open, log, counters);
    SeriesKeys keys = new SeriesKeys(memory.keys());
    DescriptionSender desk =
        new DescriptionSender(config.kafka().topics().series(), records, counters, this::send);
    GatewaySink sink =
        new GatewaySink(config.limits(), config.kafka().partitions(), keys, log, desk, counters);
    this.frameServer = new FrameServer(config.receive(), sink, log, memory.heap());
    HeapShare http = memory.heap().share(Use.HTTP);
    this.httpServer = new GatewayServer(config.http(), http, selfMetrics.registry(), this::trouble);
    this.vertx = OwnVertx.start(selfMetrics, http);
    this.stages = new Stages(vertx);
    selfMetrics.registry().add(Logging.metrics());
    selfMetrics.registry().add(memory.heap().metrics());
    selfMetrics.registry().add(frameServer.counters().metrics());
    selfMetrics.addClients(frameServer.health()::clients);
    selfMetrics.registry().add(counters.metrics());
    selfMetrics.registry().add(keys.metrics());
  }

  /**
   * Starts a gateway; it takes sidecars when this returns. Blocks.
   *
   * @param onFailure called when only a new start can help; any thread
   * @throws StartFailedException when the brokers cannot be asked, or topics are not what they must
   *     be, or an address cannot be listened on
   */
  static Gateway start(GatewayConfig config, GatewayMemory memory, Runnable onFailure)
      throws StartFailedException {
    Gateway gateway;
    Producer<byte[], byte[]> producer;
    try {
      gateway = new Gateway(config, memory, config.kafka().clientProperties(), onFailure);
    } catch (IOException e) {
      throw new StartFailedException("kafka.properties: " + CauseText.of(e), true, e);
    }
    try {
      producer = gateway.open();
    } catch (TopicsException e) {
      gateway.close();
      throw new StartFailedException(String.valueOf(e.getMessage()), e.isConfiguration(), e);
    } catch (KafkaException e) {
      gateway.close();
      throw new StartFailedException("kafka.properties: " + CauseText.of(e), true, e);
    }
    try {
      gateway.stages.start(gateway.frameServer, START_SECONDS);
      gateway.startClock();
      gateway.sender.start(producer);
      gateway.stages.start(gateway.httpServer, START_SECONDS);
      return gateway;
    } catch (ExecutionException | TimeoutException e) {
      producer.close(Duration.ZERO);
      gateway.close();
      boolean isConfiguration = e.getCause() instanceof ListenException l && !l.mayPass();
      throw new StartFailedException("cannot start: " + Sidecar.reason(e), isConfiguration, e);
    }
  }

  private void startClock() {
    frameServer
        .mergeContext()
        .execute(() -> vertx.setPeriodic(SWEEP_MILLIS, timer -> frameServer.sweep()));
  }

  /** A producer, once the topics are what they must be. Blocks. */
  private Producer<byte[], byte[]> open() throws TopicsException {
    Map<String, FoundTopic> found =
        new TopicCheck(config.kafka()).require(properties, AclOperation.WRITE);
    String topic = config.kafka().topics().intervals();
    int taken = Objects.requireNonNull(found.get(topic)).longestRecordBytes();
    int needed = config.longestRecordBytes() + BATCH_BYTES;
    if (taken < needed) {
      throw new TopicsException(
          "topic "
              + topic
              + " takes at most "
              + taken
              + " bytes (max.message.bytes), and a record may have "
              + needed
              + ": raise it, or lower ingest.max-body at all gateways by "
              + (needed - taken));
    }
    return new KafkaProducer<>(
        ProducerSettings.of(
            properties,
            config.longestRecordBytes(),
            memory.producerBytes(),
            config.kafka().partitions()));
  }

  private void send(Outgoing record) {
    sender.send(record);
  }

  private void broken(RuntimeException cause, Runnable onFailure) {
    if (!isEnding) {
      LOG.log(Level.ERROR, "event=gateway_broken cause={0}", CauseText.of(cause), cause);
      onFailure.run();
    }
  }

  private void endConnections() {
    frameServer.endConnections();
  }

  private String trouble() {
    return isEnding ? "ending" : counters.trouble();
  }

  /** Where sidecars connect, with the real port. */
  String ingestAddress() {
    boolean isEncrypted = config.receive().access().isEncrypted();
    return address(isEncrypted ? "tls" : "tcp", config.receive().host(), frameServer.actualPort());
  }

  /** Where HTTP is served, with the real port. */
  String httpAddress() {
    boolean isEncrypted = config.httpAccess().isEncrypted();
    return address(isEncrypted ? "https" : "http", config.http().host(), httpServer.actualPort());
  }

  private static String address(String scheme, String host, int port) {
    return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * Ends in order: reads nothing more, takes nobody else, and waits until Kafka has what was read,
   * so that clients are told. What they are not told of they send to another gateway.
   */
  void drain() {
    isEnding = true;
    CompletableFuture<Void> done = new CompletableFuture<>();
    frameServer
        .mergeContext()
        .execute(
            () -> {
              log.end();
              frameServer.hold();
              log.whenDurable(() -> done.complete(null));
            });
    Duration patience = config.life().drain();
    frameServer.drain(patience.plus(STOP_TIME));
    try {
      done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(
          Level.WARNING,
          "event=not_acknowledged waited={0}; clients send it to another gateway",
          patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    frameServer.mergeContext().execute(frameServer::endConnections); // They have been answered.
    close();
  }

  /** Stops everything; what is not acknowledged is sent again by its clients. Idempotent. */
  @Override
  public void close() {
    isEnding = true;
    stages.stop(STOP_TIME);
    sender.close();
    stages.close(STOP_TIME);
  }
}
