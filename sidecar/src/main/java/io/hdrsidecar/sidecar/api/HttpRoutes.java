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
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSource;
import io.hdrsidecar.sidecar.sla.SlaAnswers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The routes of a server: which path is answered by what, and what is checked before that. */
final class HttpRoutes {
  private static final long END_SECONDS = 1;

  /** One part in so many of the memory of answers may be what past steps of queries gave. */
  private static final long CACHED_SHARE = 4;

  private static final String INTERVALS = "/api/v1/intervals";

  /** Paths that can be asked while nothing else can. */
  private static final Set<String> ALWAYS = Set.of("/api/v1/status", "/api/v1/openapi.yaml");

  /** The offers beside queries. */
  enum Offer {
    /** Scrapes, live streams, uploads, reloads. */
    ALL,
    /** Scrapes and live streams. */
    SCRAPES,
    /** Nothing. */
    QUESTIONS
  }

  private final HttpConfig config;
  private final HttpContext shared;
  private final HeapBudget heap;
  private final StatusSource status;
  private final Reload reload;
  private final SlaAnswers slas;
  private final QueryScope scope;
  private final Exposition exposition;
  private final InstantSource clock;
  private final Offer offer;
  private final @Nullable SharedSeries peers;
  private final LastPage lastPage = new LastPage();
  private final ApiDocument api = new ApiDocument();
  private volatile ExposeConfig exposed;
  private @Nullable LiveRoute live;
  private @Nullable StepCache cache;

  /**
   * The routes, not yet answered.
   *
   * @param clock what times such as {@code -5m} count from
   * @param reload reads the configuration again, where that is offered
   * @param peers of which series the store has some; the server is asked for them, and asks
   */
  HttpRoutes(
      HttpConfig config,
      ExposeConfig exposeConfig,
      HttpContext shared,
      InstantSource clock,
      Offer offer,
      Reload reload,
      @Nullable SharedSeries peers) {
    this.config = config;
    this.shared = shared;
    this.heap = shared.heap();
    this.status = shared.status();
    this.clock = clock;
    this.offer = offer;
    this.reload = reload;
    this.peers = peers;
    this.exposed = exposeConfig;
    this.exposition = new Exposition(exposeConfig, shared.store(), shared.registry());
    this.slas = new SlaAnswers(shared.slas(), clock);
    int maxSeries = config.limits().maxSelectedSeries();
    this.scope = new QueryScope(shared.store(), maxSeries, config.queryLimits());
  }

  /** Answers them. Event loop, once. */
  Router start(Vertx vertx, Access opened, ConnectionWatch watch) {
    TokenCheck tokens = new TokenCheck(opened, config.openMetrics());
    HeapShare answers = heap.share(Use.QUERIES);
    // Of other processes nobody tells when what is past has changed.
    long cached = peers == null ? answers.maxBytes() / CACHED_SHARE : 0;
    StepCache steps = new StepCache(answers.atMost(cached), shared.store());
    cache = steps;
    AnswerMemory room = new AnswerMemory(answers, watch, steps::clear);
    LiveRoute liveRoute =
        new LiveRoute(vertx, scope, config.limits(), room, watch, tokens, shared.registry());
    live = liveRoute;
    return router(vertx, tokens, watch, liveRoute, room, steps);
  }

  /** Tells live streams that this is the end; completes when they know, or soon after. */
  Future<?> end() {
    if (cache != null) {
      cache.close();
    }
    LiveRoute streams = live;
    return streams == null
        ? Future.succeededFuture()
        : streams.end().timeout(END_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
  }

  /** Completes when a scrape that begins from now on has been answered. Any thread. */
  Future<Void> nextScrape() {
    return lastPage.next();
  }

  /** Shows series in another way from the next scrape on. Any thread. */
  void expose(ExposeConfig newConfig) {
    exposed = newConfig;
    exposition.use(newConfig);
  }

  private Router router(
      Vertx vertx,
      TokenCheck tokens,
      ConnectionWatch watch,
      LiveRoute liveRoute,
      AnswerMemory room,
      StepCache steps) {
    WorkerExecutor workers = vertx.createSharedWorkerExecutor("hdr-sidecar-query", Queries.WORKERS);
    WorkerExecutor longWorkers =
        vertx.createSharedWorkerExecutor("hdr-sidecar-long-query", Queries.WORKERS);
    SeriesSource source = peers == null ? SeriesSource.STORE : peers;
    Queries queries =
        new Queries(vertx, workers, longWorkers, room, source, scope, config.limits());
    QueryRoutes query = new QueryRoutes(slas, queries, clock);
    StatusRoute statusRoute = new StatusRoute(config, shared.store(), status);
    Router router = Router.router(vertx);
    router.route().handler(HttpRoutes::forbidSniffing);
    if (Loopback.isAt(config.host())) {
      HostCheck hosts = new HostCheck(config.host(), config.hostNames());
      router.route().handler(hosts).failureHandler(Failures::answer);
    }
    if (config.explorer()) {
      // Before the check of tokens: these files hold no data, and one of them asks for the token.
      ExplorerFiles explorer = new ExplorerFiles();
      RoutedPaths.route(router, HttpMethod.GET, ExplorerFiles.PAGE_PATH, explorer);
      RoutedPaths.route(router, HttpMethod.GET, ExplorerFiles.FILES_PATH + "*", explorer);
    }
    router.route().handler(tokens).failureHandler(Failures::answer);
    router.route("/api/v1/*").handler(this::requireAnswers).failureHandler(Failures::answer);
    if (offer != Offer.QUESTIONS) {
      routeWhatIsRecorded(vertx, router, watch, liveRoute, workers);
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
            queries,
            new FormReader(heap.share(Use.QUERIES)),
            () -> exposed,
            clock,
            status.version(),
            steps)
        .addTo(router, RoutedPaths::asking);
    if (peers != null) {
      routePeers(vertx, router, peers, room);
    }
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
  private void routeWhatIsRecorded(
      Vertx vertx,
      Router router,
      ConnectionWatch watch,
      LiveRoute liveRoute,
      WorkerExecutor workers) {
    // Pieces of pages wait for one another and for nothing else: a long query must not delay them.
    WorkerExecutor scraping = vertx.createSharedWorkerExecutor("hdr-sidecar-scrape", 1);
    HeapShare share = heap.share(Use.SCRAPES);
    ScrapePages pages = new ScrapePages(vertx, exposition, scraping, share, shared.registry());
    watch.sweepAlso(pages::sweep);
    RoutedPaths.route(
        router, HttpMethod.GET, "/metrics", new MetricsRoute(exposition, pages, lastPage));
    checked(router, "/api/v1/live", liveRoute);
    if (offer == Offer.ALL) {
      routeChanges(router, workers);
    }
  }

  private void routePeers(Vertx vertx, Router router, SharedSeries with, AnswerMemory room) {
    WorkerExecutor telling = vertx.createSharedWorkerExecutor("hdr-sidecar-peers", 2);
    Queries told =
        new Queries(vertx, telling, telling, room, SeriesSource.STORE, scope, config.limits());
    PeersRoute route = new PeersRoute(with, told, heap.share(Use.QUERIES));
    RoutedPaths.route(router, HttpMethod.POST, SharedSeries.PATH, route);
  }

  private void routeChanges(Router router, WorkerExecutor workers) {
    RoutedPaths.changing(
        router,
        INTERVALS,
        new IntervalsRoute(
            shared, workers, config.maxBodyBytes(), api.rules(HttpMethod.POST, INTERVALS)));
    RoutedPaths.changing(router, "/-/reload", new ReloadRoute(reload, workers));
  }

  /** A GET of what the document allows; what it does not is refused before it costs anything. */
  private void checked(Router router, String path, Handler<RoutingContext> handler) {
    OperationRules rules = api.rules(HttpMethod.GET, path);
    router.route(HttpMethod.GET, path).handler(rules).failureHandler(Failures::answer);
    router.route(HttpMethod.HEAD, path).handler(rules).failureHandler(Failures::answer);
    RoutedPaths.route(router, HttpMethod.GET, path, handler);
  }
}
