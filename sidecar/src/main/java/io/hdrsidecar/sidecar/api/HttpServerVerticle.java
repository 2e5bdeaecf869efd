package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.explore.ExplorerFiles;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSource;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves HTTP: scrapes, queries, uploads, the explorer. */
public final class HttpServerVerticle extends LimitedServer {
  private static final long END_SECONDS = 1;

  /** One part in so many of the memory of answers may be what past steps of queries gave. */
  private static final long CACHED_SHARE = 4;

  private static final String INTERVALS = "/api/v1/intervals";

  /** Paths that can be asked while nothing else can. */
  private static final Set<String> ALWAYS = Set.of("/api/v1/status", "/api/v1/openapi.yaml");

  /** The offers beside questions. */
  private enum Offer {
    /** Scrapes, live streams, uploads, reloads. */
    ALL,
    /** Scrapes and live streams. */
    SCRAPES,
    /** Nothing. */
    QUESTIONS
  }

  private final HttpConfig config;
  private final HeapBudget heap;
  private final SeriesStore store;
  private final Executor mergeContext;
  private final PrometheusMeterRegistry registry;
  private final StatusSource status;
  private final Reload reload;
  private final SlaAnswers slas;
  private final QueryScope scope;
  private final Exposition exposition;
  private final InstantSource clock;
  private final Offer offer;
  private final @Nullable SharedSeries shared;
  private final LastPage lastPage = new LastPage();
  private final ApiDocument api = ApiDocument.load();
  private volatile @Nullable Access access;
  private volatile Set<String> routes = Set.of();
  private volatile ExposeConfig exposed;
  private @Nullable LiveRoute live;
  private @Nullable StepCache cache;

  /**
   * A server, not yet listening.
   *
   * @param mergeContext runs tasks where the store may be written
   * @param registry the sidecar's own metrics
   * @param reload reads the configuration again
   * @param slas evaluates the rules; not closed here
   * @param heap what those who ask may hold is taken from
   */
  public HttpServerVerticle(
      HttpConfig config,
      ExposeConfig exposeConfig,
      SeriesStore store,
      Executor mergeContext,
      PrometheusMeterRegistry registry,
      StatusSource status,
      Reload reload,
      SlaEvaluator slas,
      HeapBudget heap) {
    this(
        config,
        exposeConfig,
        store,
        mergeContext,
        registry,
        status,
        reload,
        slas,
        heap,
        InstantSource.system(),
        Offer.ALL,
        null);
  }

  /**
   * A server over a store that somebody else fills: no uploads, no reload.
   *
   * @param shared of which series the store has some; the server is asked for them, and asks
   * @param mergeContext runs tasks where the store may be written
   * @param registry the process' own metrics
   * @param slas evaluates the rules; not closed here
   * @param heap what those who ask may hold is taken from
   */
  public static HttpServerVerticle withoutUploads(
      HttpConfig config,
      ExposeConfig exposeConfig,
      SeriesStore store,
      Executor mergeContext,
      PrometheusMeterRegistry registry,
      StatusSource status,
      SlaEvaluator slas,
      HeapBudget heap,
      SharedSeries shared) {
    return new HttpServerVerticle(
        config,
        exposeConfig,
        store,
        mergeContext,
        registry,
        status,
        Reload.NEVER,
        slas,
        heap,
        InstantSource.system(),
        Offer.SCRAPES,
        shared);
  }

  /**
   * A server over a store that nobody adds to: no uploads, no scrapes, no reload.
   *
   * @param slas evaluates the rules; not closed here
   * @param now what times such as {@code -5m} count from
   */
  public static HttpServerVerticle readOnly(
      HttpConfig config,
      SeriesStore store,
      PrometheusMeterRegistry registry,
      StatusSource status,
      SlaEvaluator slas,
      InstantSource now) {
    return new HttpServerVerticle(
        config,
        ExposeConfig.defaults(),
        store,
        Runnable::run,
        registry,
        status,
        Reload.NEVER,
        slas,
        HeapBudget.ofThisProcess(),
        now,
        Offer.QUESTIONS,
        null);
  }

  private HttpServerVerticle(
      HttpConfig config,
      ExposeConfig exposeConfig,
      SeriesStore store,
      Executor mergeContext,
      PrometheusMeterRegistry registry,
      StatusSource status,
      Reload reload,
      SlaEvaluator slas,
      HeapBudget heap,
      InstantSource clock,
      Offer offer,
      @Nullable SharedSeries shared) {
    super(
        "http",
        config.host(),
        config.port(),
        config.access(),
        config.limits(),
        heap.share(Use.HTTP),
        registry);
    this.config = config;
    this.heap = heap;
    this.clock = clock;
    this.offer = offer;
    this.shared = shared;
    this.exposed = exposeConfig;
    this.exposition = new Exposition(exposeConfig, store, registry);
    this.store = store;
    this.mergeContext = mergeContext;
    this.registry = registry;
    this.status = status;
    this.reload = reload;
    int maxSeries = config.limits().maxSelectedSeries();
    this.slas = new SlaAnswers(slas, clock);
    this.scope = new QueryScope(store, maxSeries, config.queryLimits());
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access opened, ConnectionWatch watch) {
    access = opened;
    TokenCheck tokens = new TokenCheck(opened, config.openMetrics());
    HeapShare answers = heap.share(Use.QUERIES);
    // Of other processes nobody tells when what is past has changed.
    long cached = shared == null ? answers.maxBytes() / CACHED_SHARE : 0;
    StepCache steps = new StepCache(answers.atMost(cached), store);
    cache = steps;
    AnswerMemory room = new AnswerMemory(vertx, answers, watch, steps::clear);
    LiveRoute liveRoute =
        new LiveRoute(vertx, scope, config.limits(), room, watch, tokens, registry);
    liveRoute.start();
    live = liveRoute;
    return router(tokens, liveRoute, room, steps);
  }

  /** Says which setting a request that is too long goes beyond. */
  @Override
  protected void refuseUnreadable(HttpServerRequest request) {
    Failures.refuseUnreadable(request);
  }

  /** Completes when a scrape that begins from now on has been answered. Any thread. */
  public Future<Void> nextScrape() {
    return lastPage.next();
  }

  /** Shows series in another way from the next scrape on. Any thread. */
  public void expose(ExposeConfig newConfig) {
    exposed = newConfig;
    exposition.use(newConfig);
  }

  /** The proof that those who ask must show, once started. Any thread. */
  public Optional<Access> access() {
    return Optional.ofNullable(access);
  }

  /**
   * Live streams are told that this is the end; then the server closes, and before the workers do:
   * who asks at the last moment is cut off, and not told of an error that is none.
   */
  @Override
  public Future<?> stop() {
    if (cache != null) {
      cache.close();
    }
    LiveRoute streams = live;
    Future<?> ended =
        streams == null
            ? Future.succeededFuture()
            : streams.end().timeout(END_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
    return ended.compose(
        done -> server().map(HttpServer::close).orElseGet(Future::succeededFuture));
  }

  private Router router(
      TokenCheck tokens, LiveRoute liveRoute, AnswerMemory room, StepCache steps) {
    WorkerExecutor queries =
        vertx.createSharedWorkerExecutor("hdr-sidecar-query", Questions.WORKERS);
    WorkerExecutor longQueries =
        vertx.createSharedWorkerExecutor("hdr-sidecar-long-query", Questions.WORKERS);
    SeriesSource source = shared == null ? SeriesSource.STORE : shared;
    Questions questions =
        new Questions(vertx, queries, longQueries, room, source, scope, config.limits());
    QueryRoutes query = new QueryRoutes(slas, questions, clock);
    StatusRoute statusRoute = new StatusRoute(config, store, status);
    Router router = Router.router(vertx);
    router.route().handler(HttpServerVerticle::forbidSniffing);
    if (Loopback.isAt(config.host())) {
      HostCheck hosts = new HostCheck(config.host(), config.hostNames());
      router.route().handler(hosts).failureHandler(Failures::answer);
    }
    if (config.explorer()) {
      // Before the check of tokens: these files hold no data, and one of them asks for the token.
      ExplorerFiles explorer = ExplorerFiles.load();
      RoutedPaths.route(router, HttpMethod.GET, ExplorerFiles.PAGE_PATH, explorer);
      RoutedPaths.route(router, HttpMethod.GET, ExplorerFiles.FILES_PATH + "*", explorer);
    }
    router.route().handler(tokens).failureHandler(Failures::answer);
    router.route("/api/v1/*").handler(this::requireAnswers).failureHandler(Failures::answer);
    if (offer != Offer.QUESTIONS) {
      routeWhatIsRecorded(router, liveRoute, queries);
    }
    checked(router, "/api/v1/series", query::series);
    checked(router, "/api/v1/overview", query::overview);
    checked(router, "/api/v1/histogram", query::histogram);
    checked(router, "/api/v1/percentiles", query::percentiles);
    checked(router, "/api/v1/heatmap", query::heatmap);
    checked(router, "/api/v1/compare", query::compare);
    checked(router, "/api/v1/sla", query::sla);
    checked(router, "/api/v1/openapi.yaml", new OpenApiRoute(api, tokens));
    checked(router, "/api/v1/status", statusRoute::status);
    RoutedPaths.route(router, HttpMethod.GET, "/-/healthy", statusRoute::healthy);
    RoutedPaths.route(router, HttpMethod.GET, "/-/ready", statusRoute::ready);
    new PrometheusRoutes(
            questions,
            new FormReader(heap.share(Use.QUERIES)),
            () -> exposed,
            clock,
            status.version(),
            steps)
        .addTo(router, RoutedPaths::asking);
    if (shared != null) {
      routePeers(router, shared, room);
    }
    routes = RoutedPaths.of(router);
    router.errorHandler(400, Failures::answer);
    router.errorHandler(404, Failures::answer);
    router.errorHandler(500, Failures::answer);
    return router;
  }

  /** Answers hold text of those who send intervals, which no browser may take for a page. */
  private static void forbidSniffing(RoutingContext context) {
    context.response().putHeader("X-Content-Type-Options", "nosniff");
    context.next();
  }

  /** A server that cannot answer whole says so, and answers nothing. */
  private void requireAnswers(RoutingContext context) {
    String missing = status.unavailable();
    if (!missing.isEmpty() && !ALWAYS.contains(context.normalizedPath())) {
      context.fail(new ApiException(503, "unavailable", missing));
      return;
    }
    context.next();
  }

  /**
   * Routes that there are only while something is recorded: scrapes, live streams, uploads,
   * reloads.
   */
  private void routeWhatIsRecorded(Router router, LiveRoute liveRoute, WorkerExecutor queries) {
    // Pieces of pages wait for one another and for nothing else: a long query must not delay them.
    WorkerExecutor scraping = vertx.createSharedWorkerExecutor("hdr-sidecar-scrape", 1);
    HeapShare share = heap.share(Use.SCRAPES);
    ScrapePages pages = new ScrapePages(vertx, exposition, scraping, share, registry);
    RoutedPaths.route(
        router, HttpMethod.GET, "/metrics", new MetricsRoute(exposition, pages, lastPage));
    checked(router, "/api/v1/live", liveRoute);
    if (offer == Offer.ALL) {
      routeChanges(router, queries);
    }
  }

  private void routePeers(Router router, SharedSeries with, AnswerMemory room) {
    WorkerExecutor telling = vertx.createSharedWorkerExecutor("hdr-sidecar-peers", 2);
    Questions told =
        new Questions(vertx, telling, telling, room, SeriesSource.STORE, scope, config.limits());
    PeersRoute peers = new PeersRoute(with, told, heap.share(Use.QUERIES));
    RoutedPaths.route(router, HttpMethod.POST, SharedSeries.PATH, peers);
  }

  private void routeChanges(Router router, WorkerExecutor queries) {
    RoutedPaths.changing(
        router,
        INTERVALS,
        new IntervalsRoute(
            store,
            mergeContext,
            queries,
            registry,
            config.maxBodyBytes(),
            heap.share(Use.UPLOADS),
            status,
            api.rules(HttpMethod.POST, INTERVALS)));
    RoutedPaths.changing(router, "/-/reload", new ReloadRoute(reload, queries));
  }

  /** Everything it answers, such as {@code GET /metrics}; empty before it has started. */
  Set<String> routes() {
    return routes;
  }

  /** A GET of what the document allows; what it does not is refused before it costs anything. */
  private void checked(Router router, String path, Handler<RoutingContext> handler) {
    OperationRules rules = api.rules(HttpMethod.GET, path);
    router.route(HttpMethod.GET, path).handler(rules).failureHandler(Failures::answer);
    router.route(HttpMethod.HEAD, path).handler(rules).failureHandler(Failures::answer);
    RoutedPaths.route(router, HttpMethod.GET, path, handler);
  }
}
