package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.kafka.FoundTopic;
import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.kafka.TopicsException;
import io.hdrsidecar.fleet.route.FleetSeriesSource;
import io.hdrsidecar.fleet.route.JudgedFleet;
import io.hdrsidecar.fleet.route.PeerAddress;
import io.hdrsidecar.fleet.route.RouteCounters;
import io.hdrsidecar.sidecar.OwnVertx;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.Stages;
import io.hdrsidecar.sidecar.StartFailedException;
import io.hdrsidecar.sidecar.StoreClock;
import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.api.HttpContext;
import io.hdrsidecar.sidecar.api.HttpMemory;
import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.StoreMemory;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.sla.SlaCollector;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A running node: Kafka Streams' threads that merge, an event loop on which the view is written,
 * and one that answers HTTP.
 */
public final class FleetNode implements AutoCloseable {
  private static final Logger LOG = System.getLogger(FleetNode.class.getName());
  private static final Duration CLOSE_TIME = Duration.ofSeconds(30);

  private final NodeSettings settings;
  private final SelfMetrics selfMetrics = new SelfMetrics(Version.text());
  private final NodeCounters counters = new NodeCounters();
  private final Restoring restoring = new Restoring();
  private final Standbys standbys = new Standbys();
  private final RocksMemory memory;
  private final FetchMemory fetched;
  private final CommitListener commits = new CommitListener();
  private final NodeParts parts;
  private final NodePeers peers;
  private final FleetSeriesSource shared;
  private final Runnable onFailure;
  private volatile @Nullable KafkaStreams streams;
  private volatile @Nullable LeftTransactions left;
  private final NodeStatus status;
  private final Stages stages;
  private final StoreClock storeClock;
  private final JudgedFleet judged;
  private final SlaEvaluator slas;
  private final HttpServerVerticle http;

  private FleetNode(NodeSettings settings, Uuid intervalsId, Runnable onFailure) {
    this.settings = settings;
    this.onFailure = onFailure;
    HeapBudget heap = HeapBudget.ofThisProcess();
    SeriesStore store = new SeriesStore(shown(settings.merge()));
    Vertx vertx = OwnVertx.start(selfMetrics, heap.share(Use.HTTP));
    Context merging = vertx.getOrCreateContext();
    Executor mergeContext = task -> merging.runOnContext(nothing -> task.run());
    FleetView view = new FleetView(store, mergeContext);
    StepsPast past = new StepsPast(this::steps);
    store.past().readFrom(past);
    NodeConfig config = settings.node();
    this.parts =
        new NodeParts(
            config.kafka().topics(),
            intervalsId,
            limits(settings),
            KeptMemory.of(heap.share(Use.INGEST)),
            StepLengths.of(config.shortSteps(), config.stepRetention()),
            commits,
            view,
            past,
            counters);
    this.memory =
        new RocksMemory(config.storeBytes(), NodeTopology.STORES * config.kafka().partitions());
    this.fetched = FetchMemory.of(heap);
    MemoryBound bound = bound(settings, heap, fetched);
    this.status =
        new NodeStatus(settings.texts(), bound, this::isMerging, restoring, view::hiddenSeries);
    RouteCounters routes = new RouteCounters();
    this.peers = new NodePeers(view, status::unavailable);
    this.shared =
        new FleetSeriesSource(
            config.kafka().partitions(),
            peers,
            settings.route(),
            settings.http().access(),
            routes,
            vertx);
    this.stages = new Stages(vertx);
    this.storeClock = new StoreClock(vertx, mergeContext, store, () -> {});
    this.judged =
        new JudgedFleet(
            shared,
            peers,
            new QueryScope(
                store, settings.http().limits().maxSelectedSeries(), settings.http().queryLimits()),
            heap.share(Use.QUERIES),
            config.commitInterval());
    this.slas = new SlaEvaluator(judged, InstantSource.system());
    slas.begin(settings.slas());
    this.http =
        HttpServerVerticle.withoutUploads(
            settings.http(),
            settings.expose(),
            new HttpContext(store, mergeContext, selfMetrics.registry(), status, slas, heap),
            shared);
    selfMetrics.registry().add(new SlaCollector(slas));
    selfMetrics.add(store);
    selfMetrics.registry().add(bound.metrics());
    selfMetrics.registry().add(heap.metrics());
    selfMetrics.registry().add(Logging.metrics());
    selfMetrics.registry().add(counters.metrics());
    selfMetrics
        .registry()
        .add(
            NodeMetrics.of(
                this::kafkaMetrics, config.kafka().partitions(), restoring, standbys, view));
    selfMetrics.registry().add(routes.metrics());
  }

  /** Once HTTP is served, as other nodes are told where: they learn of this one from Streams. */
  private void merge() throws IOException {
    NodeConfig config = settings.node();
    PeerAddress told = settings.route().address();
    PeerAddress address =
        told == null ? NodePeers.address(settings.http().host(), http.actualPort()) : told;
    KafkaStreams merging =
        new KafkaStreams(
            NodeTopology.of(config.kafka().topics(), parts),
            StreamsProperties.of(config, memory, fetched, address),
            commits);
    merging.setGlobalStateRestoreListener(restoring);
    merging.setStandbyUpdateListener(standbys);
    merging.setUncaughtExceptionHandler(
        e -> {
          LOG.log(Level.ERROR, "event=merging_failed cause={0}", CauseText.of(e), e);
          onFailure.run();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams = merging;
    peers.use(merging, address);
    LeftTransactions ending =
        new LeftTransactions(
            Admin.create(LeftTransactions.clientProperties(config)),
            StreamsProperties.application(config),
            commits.transactionalIds(),
            counters);
    left = ending;
    ending.endOwn(); // Its producers are not open yet.
    merging.start();
    ending.start(() -> isIn(KafkaStreams.State.REBALANCING));
  }

  private boolean isMerging() {
    return isIn(KafkaStreams.State.RUNNING);
  }

  private boolean isIn(KafkaStreams.State state) {
    KafkaStreams merging = streams;
    return merging != null && merging.state() == state;
  }

  private Map<MetricName, ? extends Metric> kafkaMetrics() {
    KafkaStreams merging = streams;
    return merging == null ? Map.of() : merging.metrics();
  }

  /** When series end is the stores' to say, as they do for all nodes. */
  private static MergeConfig shown(MergeConfig merge) {
    return new MergeConfig(
        merge.maxSeries(),
        merge.maxLayouts(),
        merge.maxCounters(),
        merge.windows(),
        merge.maxLabelLength(),
        Duration.ZERO,
        merge.maxMemoryBytes());
  }

  private static MergeLimits limits(NodeSettings settings) {
    NodeConfig config = settings.node();
    MergeConfig merge = settings.merge();
    return new MergeLimits(
        merge.maxCounters(),
        merge.maxLayouts(),
        config.pendingBytes() / config.kafka().partitions(),
        merge.idleExpiry().toMillis(),
        config.instanceMemory().toMillis(),
        config.lateAfter().toMillis(),
        merge.windows().stream()
            .map(WindowSpec::span)
            .mapToLong(Duration::toMillis)
            .max()
            .orElse(0));
  }

  private static MemoryBound bound(NodeSettings settings, HeapBudget heap, FetchMemory fetched) {
    return MemoryBound.of(
        List.of(
            List.of(new MemoryItem("idle", HeapBudget.IDLE_BYTES, "a node with nothing to do")),
            StoreMemory.items(settings.merge()),
            List.of(
                new MemoryItem("history", 0, "the past is in the stores"),
                new MemoryItem("pending", settings.node().pendingBytes(), "node.pending-memory"),
                new MemoryItem(
                    "known",
                    heap.share(Use.INGEST).maxBytes(),
                    "what is known of series and instances: 12 % of the heap"),
                new MemoryItem(
                    "fetched",
                    fetched.bytes(),
                    "what brokers sent and is not merged yet: "
                        + FetchMemory.PERCENT
                        + " % of the heap")),
            HttpMemory.items(heap)));
  }

  private ReadOnlyKeyValueStore<Bytes, byte[]> steps() {
    KafkaStreams merging = streams;
    if (merging == null) {
      throw new InvalidStateStoreException("nothing is merged yet");
    }
    return merging.store(
        StoreQueryParameters.fromNameAndType(
            NodeTopology.STEPS, QueryableStoreTypes.<Bytes, byte[]>keyValueStore()));
  }

  /**
   * Starts a node: it answers when this returns, and merges once it has partitions. Blocks.
   *
   * @param onFailure called when merging has come to an end that only a new start can mend; any
   *     thread
   * @throws StartFailedException when brokers, topics or an address are not what they should be
   */
  public static FleetNode start(NodeSettings settings, Runnable onFailure)
      throws StartFailedException {
    KafkaConfig kafka = settings.node().kafka();
    Uuid intervalsId;
    try {
      FoundTopic intervals =
          new TopicCheck(kafka)
              .require(kafka.clientProperties(), AclOperation.READ)
              .get(kafka.topics().intervals());
      intervalsId = Objects.requireNonNull(intervals).id();
    } catch (TopicsException e) {
      throw new StartFailedException(String.valueOf(e.getMessage()), e.isConfiguration(), e);
    } catch (IOException e) {
      throw new StartFailedException("kafka.properties: " + CauseText.of(e), true, e);
    }
    FleetNode node = new FleetNode(settings, intervalsId, onFailure);
    try {
      node.storeClock.start();
      node.slas.start();
      node.stages.start(node.http, Sidecar.START_SECONDS);
      node.merge();
      return node;
    } catch (IOException e) {
      node.close();
      throw new StartFailedException("cannot start: " + CauseText.of(e), false, e);
    } catch (ExecutionException | TimeoutException e) {
      node.close();
      boolean isConfiguration = e.getCause() instanceof ListenException l && !l.mayPass();
      throw new StartFailedException("cannot start: " + Sidecar.reason(e), isConfiguration, e);
    }
  }

  /** Where HTTP is served, with the real port. */
  public URI httpAddress() {
    String host = settings.http().host();
    return URI.create(
        (settings.http().access().isEncrypted() ? "https://" : "http://")
            + (host.contains(":") ? "[" + host + "]" : host)
            + ":"
            + http.actualPort());
  }

  /** What it counts. */
  NodeCounters counters() {
    return counters;
  }

  /** Commits what was merged, hands its partitions to others, and frees everything. Idempotent. */
  @Override
  public void close() {
    status.ending();
    LeftTransactions ending = left;
    if (ending != null) {
      ending.close();
    }
    KafkaStreams merging = streams;
    if (merging != null && !merging.close(CLOSE_TIME)) {
      LOG.log(Level.WARNING, "event=stop_incomplete what=\"threads that merge\"");
    }
    judged.close();
    slas.close();
    stages.stop(Sidecar.STOP_TIME);
    shared.close();
    stages.close(Sidecar.STOP_TIME);
    memory.close();
  }
}
