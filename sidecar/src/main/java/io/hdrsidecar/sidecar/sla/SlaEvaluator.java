package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.JoinedCounts;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
 * <p>Rules that stay the same keep what was counted and since when they stand when others change.
 */
public final class SlaEvaluator implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SlaEvaluator.class.getName());
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int REST = 9;
  private static final long STOP_MILLIS = 10_000;

  private final SeriesStore store;
  private final Clock clock;
  private final KnownSeries knownSeries;
  private final Distribution joined = new Distribution();
  private final Distribution scratch = new Distribution();
  private final JoinedCounts counts = new JoinedCounts();
  private Map<String, SelectedSeries> selections = Map.of();
  private List<RuleState> states = List.of();
  private volatile List<SlaRule> rules = List.of();
  private volatile List<SlaStatus> statuses = List.of();
  private volatile long lastNanos;
  private volatile boolean running = true;
  private @Nullable Thread thread;

  /** Judges no rules yet, and not by itself before {@link #start}. */
  public SlaEvaluator(SeriesStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
    this.knownSeries = new KnownSeries(store);
  }

  /** Begins to evaluate once a second. Once. */
  public synchronized void start() {
    Thread newThread = new Thread(this::run, "hdr-sidecar-sla");
    newThread.setDaemon(true);
    thread = newThread;
    newThread.start();
  }

  private void run() {
    while (running) {
      evaluateOrLog();
      long rest = Math.max(PERIOD_NANOS - lastNanos, REST * lastNanos);
      long until = System.nanoTime() + rest;
      for (long left = rest; running && left > 0; left = until - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  /** A fault in one evaluation must not end all that would follow. */
  private void evaluateOrLog() {
    try {
      evaluate();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "event=sla_evaluation_failed", e);
    }
  }

  /**
   * What these rules ask for that this sidecar does not have; only a restart can change its
   * windows.
   */
  public List<String> problemsOf(List<SlaRule> asked) {
    Set<String> known = store.windows().stream().map(WindowSpec::name).collect(Collectors.toSet());
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

  /** Judges by these rules from now on, and at once. Any thread. */
  public synchronized void use(List<SlaRule> newRules) {
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
                return before == null ? new SelectedSeries(rule.parsedSelector(), store) : before;
              });
      RuleState before = kept.get(rule);
      next.add(before == null ? RuleState.inForce(rule, selected) : before);
    }
    selections = used;
    states = next;
    rules = List.copyOf(newRules);
    evaluate();
  }

  /** Judges all rules now. Any thread; blocks while another does. */
  public synchronized void evaluate() {
    long start = System.nanoTime();
    Instant now = clock.instant();
    long version = selections.isEmpty() ? 0 : knownSeries.version();
    Map<String, SlaStatus> found = new HashMap<>();
    selections.forEach(
        (selector, selected) -> {
          List<RuleState> of =
              states.stream().filter(s -> s.rule().selector().equals(selector)).toList();
          selected.refresh(version, now, scratch);
          evaluate(selected, of, now);
          of.forEach(state -> found.put(state.rule().name(), state.end(now)));
        });
    statuses = states.stream().map(state -> found.get(state.rule().name())).toList();
    lastNanos = System.nanoTime() - start;
  }

  private void evaluate(SelectedSeries selected, List<RuleState> of, Instant now) {
    of.forEach(RuleState::begin);
    if (selected.mixture().isEmpty()) {
      selected.readTotal(joined, counts);
      of.forEach(state -> state.total(joined));
    }
    List<WindowSpec> windows = store.windows();
    for (int i = 0; i < windows.size(); i++) {
      String window = windows.get(i).name();
      List<RuleState> about = of.stream().filter(state -> state.isAbout(window)).toList();
      if (about.stream().anyMatch(RuleState::isJudged)) {
        selected.readWindow(i, joined, counts);
      }
      about.forEach(state -> state.window(window, joined, now));
    }
  }

  /** The rules in force. Any thread. */
  public List<SlaRule> rules() {
    return rules;
  }

  /** What the last evaluation found, one for each rule, in their order. Any thread. */
  List<SlaStatus> statuses() {
    return statuses;
  }

  /** How long the last evaluation took. Any thread. */
  public long lastEvaluationNanos() {
    return lastNanos;
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
