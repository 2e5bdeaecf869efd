package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ingest servers, TCP and Unix socket, and the merge context they share.
 *
 * <p>A verticle with one instance: all its connections and timers run on one event loop, which is
 * the thread that owns the store.
 */
public final class FrameServer extends VerticleBase {
  private static final long DURABLE_SECONDS = 2;

  private final ReceiveConfig config;
  private final Instances instances;
  private final ClientHealthStore health;
  private final ReceiveCounters counters = new ReceiveCounters();
  private final RejectLog rejectLog;
  private final ConnectionContext shared;
  private final Set<ClientConnection> connections = new LinkedHashSet<>();
  private final List<NetServer> servers = new CopyOnWriteArrayList<>();
  private volatile @Nullable Access access;
  private final List<SpillPickup> pickups;
  private volatile int actualPort;

  /** A server without a journal, to be deployed once, as one instance. */
  public FrameServer(ReceiveConfig config, SeriesStore store) {
    this(config, store, IntervalLog.NONE, Map.of(), List.of(), HeapBudget.ofThisProcess());
  }

  /**
   * A server to be deployed once, as one instance.
   *
   * @param log where the store writes to; answers wait for it
   * @param remembered the instances known before this start
   * @param folders where clients leave what they could not deliver
   * @param heap what clients may hold is taken from
   */
  public FrameServer(
      ReceiveConfig config,
      SeriesStore store,
      IntervalLog log,
      Map<InstanceId, RememberedInstance> remembered,
      List<PickupFolder> folders,
      HeapBudget heap) {
    this(config, new StoreSink(store), log, remembered, folders, heap);
  }

  /**
   * A server that does something else with intervals than merging them.
   *
   * @param log tells what of them is durable; answers wait for it
   * @param heap what clients may hold is taken from
   */
  public FrameServer(ReceiveConfig config, IntervalSink sink, IntervalLog log, HeapBudget heap) {
    this(config, sink, log, Map.of(), List.of(), heap);
  }

  private FrameServer(
      ReceiveConfig config,
      IntervalSink sink,
      IntervalLog log,
      Map<InstanceId, RememberedInstance> remembered,
      List<PickupFolder> folders,
      HeapBudget heap) {
    IngestShares shares = IngestShares.of(heap.share(Use.INGEST), !folders.isEmpty());
    boolean withJournal = log.keepsRecords();
    long shareBytes = shares.whole().maxBytes();
    ReceiveLimits limits = config.limits().within(IngestShares.longestFrame(shareBytes));
    int maxInstances = ReceiveMemory.maxInstances(limits.maxInstances(), heap, withJournal);
    if (sink.remembersInstances()) {
      shares.whole().tryTake(maxInstances * IngestShares.instanceBytes(withJournal));
    }
    if (!folders.isEmpty()) {
      shares.whole().tryTake(IngestShares.spillBytes(shareBytes));
    }
    this.config = config;
    this.rejectLog = new RejectLog(sink);
    this.instances =
        new Instances(maxInstances, limits.instanceMemory(), sink.remembersInstances());
    this.health =
        new ClientHealthStore(
            limits.maxConnections(), shares.clients(), InstantSource.system(), counters);
    this.shared =
        new ConnectionContext(
            limits,
            sink,
            rejectLog,
            instances,
            health,
            counters,
            new IntervalReceiver(sink),
            log,
            new DurableAnswers(log),
            new FrameRoom(shares),
            shares.clients(),
            new IdBudget(shares.ids(), limits.maxSeriesIds()),
            new IntervalFrame(),
            new FrameEncoder(),
            config.resources(),
            new SidecarPath(),
            System::nanoTime,
            this::holdAll);
    instances.restore(remembered, System.nanoTime());
    long bytesOfEach = IngestShares.spillBytes(shareBytes) / Math.max(1, folders.size());
    this.pickups =
        folders.stream()
            .map(folder -> new SpillPickup(folder, shared, bytesOfEach, mergeContext()))
            .toList();
  }

  /** Completes when clients can connect; fails when an address cannot be listened on. */
  @Override
  public Future<?> start() {
    shared.log().start(mergeContext(), this::onDurable);
    pickups.forEach(SpillPickup::start);
    showOpen();
    return Access.open("ingest", config.access(), vertx).compose(this::listen);
  }

  private Future<?> stopPickups() {
    return pickups.isEmpty()
        ? Future.succeededFuture()
        : vertx.executeBlocking(
            () -> {
              pickups.forEach(SpillPickup::close);
              return true;
            });
  }

  private Future<?> listen(Access opened) {
    access = opened;
    List<Future<?>> listening = new ArrayList<>();
    listening.add(
        listen(SocketAddress.inetSocketAddress(config.port(), config.host()), opened, true)
            .recover(
                e ->
                    Future.failedFuture(
                        ListenException.of("ingest", config.host(), config.port(), e)))
            .onSuccess(server -> actualPort = server.actualPort()));
    UnixSocketConfig unix = config.unix();
    if (unix != null) {
      listening.add(
          vertx
              .executeBlocking(() -> UnixSocketFile.prepare(unix))
              .compose(file -> listen(file, unix.path(), opened)));
    }
    return Future.all(listening);
  }

  private Future<?> listen(UnixSocketFile file, Path path, Access opened) {
    return listen(SocketAddress.domainSocketAddress(file.hidden().toString()), opened, false)
        .recover(
            e ->
                Future.failedFuture(
                    new IOException(
                        "ingest.unix-socket: cannot listen on " + path + ": " + CauseText.of(e),
                        e)))
        .compose(server -> vertx.executeBlocking(file::publish))
        .eventually(() -> vertx.executeBlocking(file::discardHidden));
  }

  private Future<NetServer> listen(SocketAddress address, Access opened, boolean withTls) {
    NetServerOptions options = new NetServerOptions().setTcpNoDelay(true);
    if (withTls) {
      opened.applyTls(options);
    }
    NetServer server = vertx.createNetServer(options);
    servers.add(server);
    if (withTls) {
      opened.onTlsChange(server::updateSSLOptions);
    }
    return server
        .connectHandler(socket -> accept(socket, opened))
        .exceptionHandler(opened::connectionFailed)
        .listen(address);
  }

  private void accept(NetSocket socket, Access opened) {
    counters.accepted();
    long bytes = FrameRoom.bytesOf(socket.isSsl());
    if (connections.size() >= 2 * config.limits().maxConnections()
        || !shared.room().tryConnect(bytes)) {
      String peer = ConnectionPeer.addressOf(socket);
      rejectLog.count(
          RejectReason.CONNECTION_LIMIT, () -> new RejectedClient(peer, null, Labels.empty()));
      socket.close();
      endMostSilent();
      return;
    }
    ClientConnection connection =
        new ClientConnection(shared, new ConnectionPeer(vertx, socket, counters), opened::admits);
    socket.handler(connection::received);
    // A broken connection is closed right after; the client comes back and resends.
    socket.exceptionHandler(OutOfMemory::endIfIn);
    socket.closeHandler(
        closed -> {
          connection.closed();
          connections.remove(connection);
          shared.room().disconnect(bytes);
          shared.room().serve();
          showOpen();
        });
    connections.add(connection);
    int maxConnections = config.limits().maxConnections();
    if (connections.size() > maxConnections) {
      connection.reject(
          RejectReason.CONNECTION_LIMIT, "at most " + maxConnections + " connections");
      endMostSilent();
    }
    showOpen();
  }

  /**
   * Makes a place for the next connection: of those without a whole frame for too long the first.
   */
  private void endMostSilent() {
    long nowNanos = System.nanoTime();
    connections.stream()
        .filter(connection -> connection.mayGiveWay(nowNanos))
        .max(Comparator.comparingLong(connection -> connection.silentNanos(nowNanos)))
        .ifPresent(
            connection ->
                connection.reject(
                    RejectReason.CONNECTION_LIMIT,
                    "no frame for some time, and others want to connect; connect again"));
  }

  private void showOpen() {
    long bytes = FrameRoom.bytesOf(config.access().isEncrypted());
    long room = connections.size() + shared.room().roomFor(bytes);
    int limit = (int) Math.min(config.limits().maxConnections(), room);
    counters.open(connections.size(), limit, instances.size());
  }

  /** The bytes that each of them has sent meanwhile would come on top of what waits already. */
  private void holdAll() {
    connections.forEach(ClientConnection::hold);
  }

  private void onDurable() {
    shared.answers().release();
    if (!shared.log().isFull()) {
      List.copyOf(connections).forEach(ClientConnection::release);
    }
  }

  /** Ends what is idle and forgets what is old; to be called once a second. Merge context. */
  public void sweep() {
    long nowNanos = System.nanoTime();
    for (ClientConnection connection : List.copyOf(connections)) {
      connection.checkIdle(nowNanos);
    }
    shared.room().serve();
    instances.forgetOld(nowNanos);
    health.forgetOld();
    rejectLog.log(nowNanos);
    showOpen();
  }

  /**
   * Takes no more connections. Completes when those that are open have ended, at the latest after
   * this time; then they are closed, and their clients keep what was not acknowledged. Any thread.
   */
  public Future<?> drain(Duration patience) {
    long millis = Math.max(1, patience.toMillis());
    return Future.join(
        servers.stream().map(server -> server.shutdown(millis, TimeUnit.MILLISECONDS)).toList());
  }

  /** Ends all connections: clients send again what is not settled. Merge context. */
  public void endConnections() {
    List.copyOf(connections).forEach(ClientConnection::end);
  }

  /** Reads nothing more from anybody until the log has risen and is not full. Merge context. */
  public void hold() {
    holdAll();
  }

  /** The proof that clients must show, once started. Any thread. */
  public Optional<Access> access() {
    return Optional.ofNullable(access);
  }

  /**
   * Waits for the journal, so that clients get the answers they wait for, then stops listening and
   * closes all connections.
   */
  @Override
  public Future<?> stop() {
    Promise<Void> answered = Promise.promise();
    shared.log().whenDurable(answered::tryComplete);
    Path unixSocket = config.unixSocket();
    return stopPickups()
        .eventually(answered::future)
        .timeout(DURABLE_SECONDS, TimeUnit.SECONDS)
        .otherwiseEmpty() // Who got no answer has kept what it sent.
        .eventually(() -> Future.join(servers.stream().map(NetServer::close).toList()))
        .eventually(
            () -> {
              shared.receiver().close();
              return unixSocket == null
                  ? Future.succeededFuture()
                  : vertx.executeBlocking(() -> UnixSocketFile.remove(unixSocket));
            });
  }

  /** The real TCP port, once started. Any thread. */
  public int actualPort() {
    return actualPort;
  }

  /** Runs tasks on the thread that owns the store; to be used once started. Any thread. */
  public Executor mergeContext() {
    return task -> context.runOnContext(ignored -> task.run());
  }

  /** The name of this sidecar among those that values pass. Any thread. */
  public InstanceId sidecarId() {
    return shared.path().own();
  }

  /** The upstream has answered, and said which sidecars values pass. Any thread. */
  public void above(List<InstanceId> sidecars) {
    if (shared.path().isChangedBy(sidecars)) {
      mergeContext()
          .execute(() -> List.copyOf(connections).forEach(ClientConnection::endIfSidecar));
    }
  }

  /** The counts of all that was received. Any thread. */
  public ReceiveCounters counters() {
    return counters;
  }

  /** The metrics of all that was picked up of clients that left it. Any thread. */
  public List<Metric> pickupMetrics() {
    return pickups.stream().flatMap(pickup -> pickup.counters().metrics().stream()).toList();
  }

  /** The figures that clients say of themselves. Any thread. */
  public ClientHealthStore health() {
    return health;
  }
}
