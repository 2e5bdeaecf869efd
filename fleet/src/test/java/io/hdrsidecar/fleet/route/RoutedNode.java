package io.hdrsidecar.fleet.route;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.api.HttpContext;
import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.hdrsidecar.sidecar.api.SharedSeries;
import io.hdrsidecar.sidecar.api.StatusSource;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.sla.SlaCollector;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A node without Kafka: what it shows and which partitions it has is put there by hand. */
final class RoutedNode implements FleetSeriesSource.Placement, StatusSource, AutoCloseable {
  static final int PARTITIONS = 2;
  private static final long HIGHEST = 3_600_000_000_000L;

  private final Vertx vertx = Vertx.vertx();
  private final SelfMetrics selfMetrics = new SelfMetrics("test");
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(1000, 4, 1 << 19, WindowSpec.parseList("1m"), 2048, Duration.ZERO));
  private final RouteCounters counters = new RouteCounters();
  private final FleetSeriesSource source;
  private final JudgedFleet judged;
  private final SlaEvaluator slas;
  private final HttpServerVerticle http;
  private volatile HeldPartitions held;
  private volatile String trouble = "";
  private volatile List<PeerAddress> others = List.of();

  RoutedNode(int partition, AccessConfig access, RouteConfig route, HeapBudget heap)
      throws Exception {
    this.held = new HeldPartitions(Set.of(partition), 1);
    this.source = new FleetSeriesSource(PARTITIONS, this, route, access, counters, vertx);
    this.judged =
        new JudgedFleet(
            source,
            this,
            new QueryScope(store, 1000, QueryLimits.defaults()),
            heap.share(HeapBudget.Use.QUERIES),
            Duration.ofSeconds(5));
    this.slas = new SlaEvaluator(judged, InstantSource.system());
    selfMetrics.registry().add(new SlaCollector(slas));
    this.http =
        HttpServerVerticle.withoutUploads(
            new HttpConfig("127.0.0.1", 0, 1 << 20, access, false, HttpLimits.defaults()),
            ExposeConfig.defaults(),
            new HttpContext(store, Runnable::run, selfMetrics.registry(), this, slas, heap),
            source);
    vertx.deployVerticle(http).toCompletionStage().toCompletableFuture().get();
  }

  /** An open node. */
  static RoutedNode of(int partition) throws Exception {
    return new RoutedNode(
        partition,
        AccessConfig.OPEN,
        new RouteConfig(Duration.ofSeconds(30), null, null),
        HeapBudget.of(256 << 20));
  }

  PeerAddress address() {
    return new PeerAddress("127.0.0.1", http.actualPort());
  }

  void has(Integer... partitions) {
    held = new HeldPartitions(Set.of(partitions), held.version() + 1);
  }

  void knows(PeerAddress... nodes) {
    others = List.of(nodes);
  }

  void isInTrouble(String why) {
    trouble = why;
  }

  /** Rules by which it judges from now on when it is told to, as if it came with them. */
  void begin(List<SlaRule> rules) {
    slas.begin(rules);
  }

  void judge() {
    slas.evaluate();
  }

  /** A series has ended, or gone to another node. */
  void drops(String name, String route) {
    store.find(new SeriesKey(name, Labels.of("route", route))).ifPresent(store::remove);
  }

  RouteCounters counters() {
    return counters;
  }

  /** Counts values, in HdrHistogram's buckets of a number of digits. */
  void count(String name, String route, int digits, long... values) throws Exception {
    BucketLayout layout = BucketLayout.of(1, digits);
    Histogram histogram = new Histogram(1, HIGHEST, digits);
    ExactSum sum = new ExactSum();
    for (long value : values) {
      histogram.recordValue(value);
      sum.add(value);
    }
    DecodedHistogram decoded = new DecodedHistogram();
    decoded.start(layout, HIGHEST);
    for (HistogramIterationValue each : histogram.recordedValues()) {
      decoded
          .counts()
          .visit(
              layout.indexOf(each.getValueIteratedTo()), each.getCountAddedInThisIterationStep());
    }
    SumMinMax sumMinMax = new SumMinMax();
    sumMinMax.set(
        sum, true, Arrays.stream(values).min().orElse(0), Arrays.stream(values).max().orElse(0));
    long now = System.currentTimeMillis();
    store.merge(
        store.register(
            new SeriesDefinition(
                new SeriesKey(name, Labels.of("route", route)),
                Unit.NANOSECONDS,
                "how long",
                layout,
                HIGHEST)),
        decoded,
        now - 1000,
        now,
        sumMinMax);
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  HttpResponse<String> get(String path, String token) throws Exception {
    return send(request(path).header("Authorization", "Bearer " + token));
  }

  HttpResponse<String> post(String path, byte[] body) throws Exception {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  /** How many series there are at all nodes, asked without HTTP. */
  int gathered() throws Exception {
    return source.ask(
        scope -> NeededSeries.of(List.of(SeriesFilter.ALL), NeededSeries.Counts.NAMES),
        new QueryScope(store, 1000, QueryLimits.defaults()),
        scope -> scope.store().livingSeries().size());
  }

  /** What it answers when another one asks. */
  byte[] tell(byte[] question) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            request(SharedSeries.PATH)
                .POST(HttpRequest.BodyPublishers.ofByteArray(question))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray())
        .body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + address() + path.replace("[]", "%5B%5D")));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public HeldPartitions held() {
    return held;
  }

  @Override
  public String trouble() {
    return trouble;
  }

  @Override
  public List<PeerAddress> others() {
    return others;
  }

  @Override
  public String version() {
    return "test";
  }

  @Override
  public Instant startedAt() {
    return Instant.EPOCH;
  }

  @Override
  public MemoryBound memoryBound() {
    return MemoryBound.of(List.of());
  }

  @Override
  public Map<String, String> config() {
    return Map.of();
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void close() {
    judged.close();
    slas.close();
    source.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
