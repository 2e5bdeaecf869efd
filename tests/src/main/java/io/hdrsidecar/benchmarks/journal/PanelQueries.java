package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.prometheus.EvaluatedAnswers;
import io.hdrsidecar.sidecar.prometheus.FormParameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Fills a journal up to its default size with a day of 100 series, and asks for the panel that
 * Grafana asks for: a quantile of the sum of all, a day back, a point a minute. Once with nothing
 * remembered, then again and again, each time 15 s later with what came meanwhile, as a panel does
 * that refreshes. Within the memory that answers have in a heap of this process' size.
 *
 * <p>Claims: when it refreshes, 95 of 100 take less than 300 ms. Arguments: folder (default: the
 * temporary one), series (100), seconds between intervals (5), values in an interval (150),
 * repetitions (200).
 */
public final class PanelQueries {
  private static final int DAY = 24 * 3600;
  private static final int STEP = 60;
  private static final int REFRESH = 15;
  private static final double TIMEOUT_MILLIS = 120_000;
  private static final String QUERY =
      "histogram_quantile(0.99, sum by (le) (rate(load_seconds_bucket[75s])))";

  private final Path directory;
  private final int series;
  private final int every;
  private final int values;
  private final int repetitions;

  private PanelQueries(Path directory, int series, int every, int values, int repetitions) {
    this.directory = directory;
    this.series = series;
    this.every = every;
    this.values = values;
    this.repetitions = repetitions;
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
    Path directory = Files.createTempDirectory(folder, "panel-queries");
    try {
      new PanelQueries(
              directory,
              JournalCost.number(args, 1, 100),
              JournalCost.number(args, 2, 5),
              JournalCost.number(args, 3, 150),
              JournalCost.number(args, 4, 200))
          .run();
    } finally {
      JournalCost.delete(directory);
    }
  }

  private void run() throws Exception {
    SteppingClock clock = new SteppingClock(System.currentTimeMillis() / 1000 * 1000 - DAY * 1000L);
    SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, clock::nanos);
    Journal journal =
        Journal.open(JournalConfig.in(directory), store, clock, true, JournalTail.NONE);
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      store.log().start(load, () -> {});
      long start = System.nanoTime();
      for (int second = 0; second < DAY; second += every) {
        merge(clock, load);
      }
      load.awaitDurable();
      System.out.printf(
          Locale.ROOT,
          "%d series, an interval of %d values each %d s for a day: %d intervals in %.1f s%n",
          series,
          values,
          every,
          (long) series * DAY / every,
          (System.nanoTime() - start) / 1e9);
      PastQueries.awaitIndexes(store.past().source());
      ask(store, clock, load);
      JournalRecovery.close(journal, load);
    }
  }

  private void merge(SteppingClock clock, MergeLoad load) throws Exception {
    clock.step(every * 1000L);
    load.encodeFrames(clock.millis());
    load.mergeAll();
  }

  private void ask(SeriesStore store, SteppingClock clock, MergeLoad load) throws Exception {
    QueryLimits limits = QueryLimits.defaults();
    HeapShare share = HeapBudget.ofThisProcess().share(Use.QUERIES);
    ExposeConfig config = ExposeConfig.defaults();
    ExposedEdges edges = new ExposedEdges(config.quantiles(), config::edges);
    List<Double> millis = new ArrayList<>();
    double first = 0;
    try (StepCache cache = new StepCache(share.atMost(share.maxBytes() / 4), store)) {
      for (int i = 0; i <= repetitions; i++) {
        double took = 0;
        boolean answered = false;
        while (!answered) {
          try {
            took += one(new QueryScope(store, 1000, limits), share, edges, cache, clock);
            answered = true;
          } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.TIMED_OUT) {
              throw e;
            }
            took += TIMEOUT_MILLIS; // What it had by then is remembered.
          }
        }
        if (i == 0) {
          first = took;
        } else {
          millis.add(took);
        }
        for (int second = 0; second < REFRESH; second += every) {
          merge(clock, load);
        }
        load.awaitDurable();
      }
    }
    millis.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%s, a day by the minute, %d KiB for answers: first %.0f ms; refreshed p50 %.1f ms, p95"
            + " %.1f ms, most %.1f ms%n",
        QUERY,
        share.maxBytes() >> 10,
        first,
        millis.get(millis.size() / 2),
        millis.get(millis.size() * 95 / 100),
        millis.get(millis.size() - 1));
  }

  private double one(
      QueryScope scope, HeapShare share, ExposedEdges edges, StepCache cache, SteppingClock clock)
      throws Exception {
    long now = clock.millis() / 1000;
    long end = now / STEP * STEP;
    FormParameters parameters =
        new FormParameters(
            Map.of(
                "query", List.of(QUERY),
                "start", List.of(Long.toString(end - DAY)),
                "end", List.of(Long.toString(end)),
                "step", List.of(Integer.toString(STEP))));
    try (HeapClaim claim = share.claim()) {
      long start = System.nanoTime();
      Answer answer =
          new EvaluatedAnswers(scope.with(claim), edges, cache).range(parameters, clock.instant());
      double took = (System.nanoTime() - start) / 1e6;
      JsonArray result = new JsonObject(answer.body()).getJsonObject("data").getJsonArray("result");
      int points = result.getJsonObject(0).getJsonArray("values").size();
      if (points < DAY / STEP * 9 / 10) {
        throw new IllegalStateException("points are missing: " + points);
      }
      return took;
    }
  }
}
