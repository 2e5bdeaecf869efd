package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.api.HttpMemory;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalMemory;
import io.hdrsidecar.sidecar.limits.StoreMemory;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.receive.ReceiveMemory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The memory that a configuration allows, from the items of each stage. */
final class AllowedMemory {
  private static final Logger LOG = System.getLogger(AllowedMemory.class.getName());

  /** The option to raise where no setting is to blame: a small heap may be meant. */
  private static final String HEAP = "-Xmx";

  private static final int NAMED_ITEMS = 3;
  private static final long MIB = 1 << 20;

  private AllowedMemory() {}

  /** The heap of this process, divided as a configuration needs it. */
  static HeapBudget heapFor(SidecarConfig config) {
    return HeapBudget.ofThisProcess(
        config.statsd().isOn(), config.otlp().isOn(), config.export() != null);
  }

  /** Every stage that holds what clients send adds its items here. */
  static MemoryBound of(SidecarConfig config, HeapBudget heap) {
    List<List<MemoryItem>> stages = new ArrayList<>();
    stages.add(
        List.of(new MemoryItem("idle", HeapBudget.IDLE_BYTES, "a sidecar with nothing to do")));
    stages.add(StoreMemory.items(config.merge()));
    stages.add(
        List.of(new MemoryItem("history", config.history().maxBytes(), "history.max-memory")));
    stages.add(ReceiveMemory.items(heap));
    stages.add(HttpMemory.items(heap));
    JournalConfig journal = config.journal();
    if (journal != null) {
      stages.add(JournalMemory.items(journal, config.merge(), heap));
    }
    if (config.statsd().isOn()) {
      stages.add(
          List.of(
              new MemoryItem("statsd", heap.share(Use.STATSD).maxBytes(), "a share of the heap")));
    }
    if (config.otlp().isOn()) {
      stages.add(
          List.of(new MemoryItem("otlp", heap.share(Use.OTLP).maxBytes(), "a share of the heap")));
    }
    if (config.export() != null) {
      stages.add(
          List.of(
              new MemoryItem("export", heap.share(Use.EXPORT).maxBytes(), "a share of the heap")));
    }
    if (config.upstream() != null) {
      stages.add(
          List.of(
              new MemoryItem(
                  "upstream", heap.share(Use.UPSTREAM).maxBytes(), "a share of the heap")));
    }
    return MemoryBound.of(stages);
  }

  /**
   * The settings that make the bound larger than the heap, one line for each: its value, what it
   * leads to, and what fits. Empty when the bound is at most the heap.
   */
  static List<String> problems(SidecarConfig config, HeapBudget heap) {
    MemoryBound bound = of(config, heap);
    long over = bound.totalBytes() - heap.heapBytes();
    if (over <= 0) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    for (Breaker breaker : breakers(config, heap.heapBytes(), over)) {
      if (breaker.value() > breaker.byDefault()) {
        problems.add(
            breaker.key()
                + ": "
                + config.texts().get(breaker.key())
                + leadsTo(bound, heap)
                + "; at most "
                + breaker.fits()
                + " fits, or a larger heap");
      }
    }
    if (problems.isEmpty()) {
      problems.add(HEAP + ": " + mebibytes(heap.heapBytes()) + leadsTo(bound, heap));
    }
    return problems;
  }

  private static String leadsTo(MemoryBound bound, HeapBudget heap) {
    return ": the sidecar may have to hold "
        + mebibytes(bound.totalBytes())
        + ", more than the heap of "
        + mebibytes(heap.heapBytes());
  }

  /**
   * A setting that can break the bound.
   *
   * @param byDefault what it is when nobody sets it, and what never breaks the bound
   */
  private record Breaker(String key, long value, long byDefault, String fits) {
    /** One of bytes, each of which costs so many; what others leave is its own. */
    static Breaker ofBytes(String key, long value, long byDefault, long over, long cost) {
      long fits = Math.max(byDefault, value - (over + cost - 1) / cost);
      return new Breaker(key, value, byDefault, mebibytes(fits));
    }
  }

  private static List<Breaker> breakers(SidecarConfig config, long all, long over) {
    long series = HeapBudget.percentOf(HeapBudget.SERIES_PERCENT, all);
    long history = HeapBudget.percentOf(HeapBudget.HISTORY_PERCENT, all);
    int counters = StoreMemory.maxCounters(all);
    List<Breaker> breakers = new ArrayList<>();
    long held = Math.min(config.merge().maxMemoryBytes(), StoreMemory.heldBytes(config.merge()));
    breakers.add(Breaker.ofBytes("series.max-memory", held, series, over, 1));
    breakers.add(
        Breaker.ofBytes("history.max-memory", config.history().maxBytes(), history, over, 1));
    breakers.add(
        new Breaker(
            "series.max-counters",
            config.merge().maxCounters(),
            counters,
            String.valueOf(counters)));
    JournalConfig journal = config.journal();
    if (journal != null) {
      breakers.add(
          Breaker.ofBytes(
              "journal.max-queued",
              journal.maxQueuedBytes(),
              JournalMemory.maxQueuedBytes(all),
              over,
              JournalMemory.BYTES_A_QUEUED_BYTE));
    }
    return breakers;
  }

  /**
   * Says in one line which limits follow from the heap, as settings would have it; and when what
   * they add up to is above the heap, why.
   */
  static void log(SidecarConfig config, HeapBudget heap) {
    MemoryBound bound = of(config, heap);
    LOG.log(
        Level.INFO,
        "event=limits heap={0} bound={1} series.max={2} series.max-memory={3}"
            + " series.max-counters={4} history.max-memory={5} windows={6}",
        size(heap.heapBytes()),
        size(bound.totalBytes()),
        String.valueOf(config.merge().maxSeries()),
        size(config.merge().maxMemoryBytes()),
        String.valueOf(config.merge().maxCounters()),
        size(config.history().maxBytes()),
        config.texts().getOrDefault("windows", ""));
    LOG.log(Level.DEBUG, "event=memory_bound most={0}", largest(bound));
    for (String problem : problems(config, heap)) {
      LOG.log(
          problem.startsWith(HEAP) ? Level.INFO : Level.WARNING,
          "event=memory_bound_above_heap problem={0}",
          problem);
    }
  }

  private static String largest(MemoryBound bound) {
    return bound.largest(NAMED_ITEMS).stream()
        .map(i -> i.name() + "=" + mebibytes(i.maxBytes()) + " (" + i.why() + ")")
        .collect(Collectors.joining(", "));
  }

  /** As a setting has it, to the last KiB. */
  private static String size(long bytes) {
    return bytes % MIB == 0 ? bytes / MIB + "MiB" : bytes / 1024 + "KiB";
  }

  private static String mebibytes(long bytes) {
    return bytes < MIB ? bytes / 1024 + "KiB" : bytes / MIB + "MiB";
  }
}
