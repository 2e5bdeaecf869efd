package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges all rules once a second, on a thread of its own, as a reader of the store like any other:
 * merging never waits for it, and a scrape shows the last verdicts without a computation.
 *
 * <p>Cost of an evaluation: the buckets of the series that the selectors match, once for each
 * different selector and window. Whatever the rules, it takes at most a tenth of one core: after an
 * evaluation of a length the thread rests at least nine times that length.
 *
 * <p>A verdict is not shown for longer than it can be believed: not when the evaluation of its
 * series failed, and not when the last evaluation is older than a minute and than three times the
 * time from one to the next.
 *
 * <p>The series may be {@link JudgedSeries elsewhere}. Then each evaluation is of a copy of all of
 * them, and while another process judges them this one shows nothing. When it takes over, counters
 * begin at 0.
 *
 * <p>Rules that stay the same keep what was counted and since when they stand when others change. A
 * rule whose name was in force before, with anything in it different, begins its counters at 0.
 */
public final class SlaEvaluator implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SlaEvaluator.class.getName());
  private static final int REST = 9;
  private static final long STOP_MILLIS = 10_000;
  private static final long MIN_BELIEVED_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int BELIEVED_PERIODS = 3;

  /**
   * What one evaluation found.
   *
   * @param at when it began
   * @param endNanos when it ended, monotonic
   * @param isHere whether this process judges
   */
  private record Evaluation(
      List<SlaStatus> statuses, Instant at, long endNanos, long tookNanos, boolean isHere) {}

  private final JudgedSeries series;

  /** All series, if they are in one store of this process. */
  private final @Nullable SeriesStore live;

  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final KnownSeries knownSeries = new KnownSeries();
  private long looks;
  private final Distribution joined = new Distribution();
  private final Distribution scratch = new Distribution();
  private final JoinedCounts counts = new JoinedCounts();
  private final Set<String> namesUsed = new HashSet<>();
  private Map<String, SelectedSeries> selections = Map.of();
  private List<RuleState> states = List.of();
  private volatile List<SlaRule> rules = List.of();
  private final Set<SelectedSeries> failing = new HashSet<>();
  private final AtomicLong failures = new AtomicLong();
  private volatile Evaluation last = new Evaluation(List.of(), Instant.EPOCH, 0, 0, false);
  private volatile String missing = "";
  private volatile boolean running = true;
  private @Nullable Thread thread;

  /** Judges no rules yet, and not by itself before {@link #start}. */
  public SlaEvaluator(SeriesStore store, InstantSource clock) {
    this(store, clock, System::nanoTime);
  }

  SlaEvaluator(SeriesStore store, InstantSource clock, LongSupplier nanoClock) {
    this(new LocalSeries(store), store, clock, nanoClock);
  }

  /** The same of series that are not all here. */
  public SlaEvaluator(JudgedSeries series, InstantSource clock) {
    this(series, null, clock, System::nanoTime);
  }

  private SlaEvaluator(
      JudgedSeries series,
      @Nullable SeriesStore live,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.series = series;
    this.live = live;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** Begins to evaluate once a second, while there are rules. Once. */
  public synchronized void start() {
    Thread newThread = new Thread(this::run, "hdr-sidecar-sla");
    newThread.setDaemon(true);
    thread = newThread;
    newThread.start();
  }

  private void run() {
    while (running) {
      evaluateOrLog();
      Evaluation evaluation = last;
      long rest = periodNanos(evaluation) - evaluation.tookNanos();
      long until = System.nanoTime() + rest;
      for (long left = rest; running && left > 0; left = until - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      while (running && live != null && rules.isEmpty()) { // Who judges elsewhere may change.
        LockSupport.park();
      }
    }
  }

  private long periodNanos(Evaluation evaluation) {
    return Math.max(series.period().toNanos(), (REST + 1) * evaluation.tookNanos());
  }

  /**
   * A fault in one evaluation, memory that ran out included, must not end all that would follow.
   */
  private void evaluateOrLog() {
    try {
      evaluate();
    } catch (RuntimeException | Error e) {
      failures.incrementAndGet();
      LOG.log(Level.ERROR, "event=sla_evaluation_failed", e);
    }
  }

  /**
   * What these rules ask for that this sidecar does not have; only a restart can change its
   * windows.
   */
  public List<String> problemsOf(List<SlaRule> asked) {
    Set<String> known = series.windows().stream().map(WindowSpec::name).collect(Collectors.toSet());
    return asked.stream()
        .flatMap(
            rule ->
                rule.windows().stream()
                    .filter(window -> !known.contains(window))
                    .map(
                        window ->
                            "sla "
                                + rule.name()
                                + ": not a window of the running sidecar: "
                                + window))
        .toList();
  }

  /**
   * Judges by the rules that a process begins with. Their counters begin at 0: what the journal
   * brought back was counted before the restart, under the same names, and not all of it is back.
   */
  public synchronized void begin(List<SlaRule> first) {
    first.forEach(rule -> namesUsed.add(rule.name()));
    use(first);
  }

  /** Judges by these rules from now on, and at once. Any thread. */
  public synchronized void use(List<SlaRule> newRules) {
    replace(newRules);
    evaluate();
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void replace(List<SlaRule> newRules) {
    Map<SlaRule, RuleState> kept = new HashMap<>();
    states.forEach(state -> kept.put(state.rule(), state));
    Map<String, SelectedSeries> used = new LinkedHashMap<>();
    List<RuleState> next = new ArrayList<>();
    for (SlaRule rule : newRules) {
      SelectedSeries selected =
          used.computeIfAbsent(
              rule.selector(),
              text -> {
                SelectedSeries before = selections.get(text);
                return before == null
                    ? new SelectedSeries(rule.parsedSelector(), live == null)
                    : before;
              });
      RuleState before = kept.get(rule);
      boolean atZero = namesUsed.contains(rule.name());
      next.add(before == null ? RuleState.inForce(rule, selected, atZero) : before);
    }
    newRules.forEach(rule -> namesUsed.add(rule.name()));
    selections = used;
    states = next;
    rules = List.copyOf(newRules);
  }

  /** Judges all rules now. Any thread; blocks while another does. */
  public synchronized void evaluate() {
    long start = nanoClock.getAsLong();
    Instant now = clock.instant();
    String elsewhere = series.elsewhere();
    if (!elsewhere.isEmpty()) {
      stepAside(elsewhere, now, start);
      return;
    }
    List<SeriesFilter> filters = selections.values().stream().map(SelectedSeries::filter).toList();
    if (filters.isEmpty()) {
      series.forget();
      last = new Evaluation(List.of(), now, start, 0, true);
      return;
    }
    try {
      series.look(filters, store -> evaluate(store, now, start));
      if (!missing.isEmpty()) {
        LOG.log(Level.INFO, "event=sla_series_back");
      }
      missing = "";
    } catch (QueryException e) {
      failures.incrementAndGet();
      if (missing.isEmpty()) {
        LOG.log(Level.WARNING, "event=sla_series_missing reason={0}", e.message());
      }
      missing = e.message();
      if (!last.isHere() || !rulesOf(last).equals(rules)) { // Else what stands is believed a while.
        long end = nanoClock.getAsLong();
        last = new Evaluation(failed(e.message(), now), now, end, end - start, true);
      }
    }
  }

  private static List<SlaRule> rulesOf(Evaluation evaluation) {
    return evaluation.statuses().stream().map(SlaStatus::rule).toList();
  }

  private List<SlaStatus> failed(String why, Instant now) {
    List<String> windows = series.windows().stream().map(WindowSpec::name).toList();
    return rules.stream()
        .map(
            rule ->
                RuleState.silent(rule, new SelectedSeries(rule.parsedSelector(), true))
                    .fail(why, windows, now))
        .toList();
  }

  /** Forgets what stood: when it is this one's turn again, others will have counted on. */
  private void stepAside(String elsewhere, Instant now, long start) {
    if (last.isHere()) {
      states = List.of();
      selections = Map.of();
      replace(rules);
    }
    series.forget();
    missing = "";
    List<SlaStatus> statuses = failed(elsewhere, now);
    long end = nanoClock.getAsLong();
    last = new Evaluation(statuses, now, end, end - start, false);
  }

  private void evaluate(SeriesStore store, Instant now, long start) {
    long version = live == null ? ++looks : knownSeries.version(store); // Copies are ever others.
    Map<String, SlaStatus> found = new HashMap<>();
    failing.retainAll(selections.values());
    selections.forEach(
        (selector, selected) -> {
          List<RuleState> of =
              states.stream().filter(s -> s.rule().selector().equals(selector)).toList();
          evaluateOrFail(store, selected, of, version, now)
              .forEach(status -> found.put(status.rule().name(), status));
        });
    List<SlaStatus> statuses =
        states.stream().map(state -> found.get(state.rule().name())).toList();
    long end = nanoClock.getAsLong();
    last = new Evaluation(statuses, now, end, end - start, true);
  }

  /** What cannot be evaluated of one selector says so, and does not take the others with it. */
  private List<SlaStatus> evaluateOrFail(
      SeriesStore store, SelectedSeries selected, List<RuleState> of, long version, Instant now) {
    try {
      selected.refresh(store, version, now, scratch);
      evaluate(selected, of, now);
      failing.remove(selected);
      return of.stream().map(state -> state.end(now)).toList();
    } catch (RuntimeException | VirtualMachineError e) {
      failures.incrementAndGet();
      if (failing.add(selected)) {
        LOG.log(Level.ERROR, "event=sla_evaluation_failed sla={0}", of.get(0).rule().name(), e);
      }
      List<String> windows = series.windows().stream().map(WindowSpec::name).toList();
      return of.stream()
          .map(state -> state.fail("the evaluation failed, see the log: " + e, windows, now))
          .toList();
    }
  }

  private void evaluate(SelectedSeries selected, List<RuleState> of, Instant now) {
    of.forEach(RuleState::begin);
    if (selected.mixture().isEmpty()) {
      selected.readTotal(joined, counts);
      of.forEach(state -> state.total(joined, now));
    }
    List<WindowSpec> windows = series.windows();
    for (int i = 0; i < windows.size(); i++) {
      String window = windows.get(i).name();
      List<RuleState> about = of.stream().filter(state -> state.isAbout(window)).toList();
      if (about.stream().anyMatch(RuleState::isJudged)) {
        selected.readWindow(i, joined, counts);
      }
      about.forEach(state -> state.window(window, joined, now));
    }
  }

  /** Whether it judges the series of this store. */
  boolean watches(SeriesStore other) {
    return live == other;
  }

  /** Whether the verdicts are this process' to show. Any thread. */
  boolean isHere() {
    return last.isHere() && series.elsewhere().isEmpty();
  }

  /** The rules in force. Any thread. */
  public List<SlaRule> rules() {
    return rules;
  }

  /**
   * What the last evaluation found, one for each rule, in their order; without verdicts when that
   * was too long ago. Any thread.
   */
  List<SlaStatus> statuses() {
    Evaluation evaluation = last;
    long believed = Math.max(MIN_BELIEVED_NANOS, BELIEVED_PERIODS * periodNanos(evaluation));
    if (nanoClock.getAsLong() - evaluation.endNanos() <= believed) {
      return evaluation.statuses();
    }
    String reason = missing.isEmpty() ? ", see the sidecar's log and load" : ": " + missing;
    String why = "not evaluated since " + evaluation.at() + reason;
    return evaluation.statuses().stream().map(status -> status.withoutVerdict(why)).toList();
  }

  /** When the last evaluation that ended began; 1970 before any. Any thread. */
  Instant lastEvaluationAt() {
    return last.at();
  }

  /** How long the last evaluation took. Any thread. */
  public long lastEvaluationNanos() {
    return last.tookNanos();
  }

  /** Evaluations that failed, each selector by itself. Any thread. */
  long failures() {
    return failures.get();
  }

  /** Ends the thread. Idempotent. */
  @Override
  public void close() {
    running = false;
    Thread ending;
    synchronized (this) {
      ending = thread;
      thread = null;
    }
    if (ending != null) {
      LockSupport.unpark(ending);
      try {
        ending.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
