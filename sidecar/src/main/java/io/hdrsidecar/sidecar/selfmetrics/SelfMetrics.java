package io.hdrsidecar.sidecar.selfmetrics;

import com.sun.management.OperatingSystemMXBean;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.hdrsidecar.sidecar.receive.SpillCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The sidecar's own metrics: a Micrometer registry in Prometheus' form that holds those of Vert.x,
 * of the JVM and of each stage.
 *
 * <p>Stages are bound once, at start-up, by one thread; their figures are read by whoever scrapes.
 * {@link #close} frees the registry.
 */
public final class SelfMetrics implements AutoCloseable {
  /**
   * Starts every name here but {@link #PROCESS}. Clients send series such as Micrometer's {@code
   * jvm_gc_pause} or {@code vertx_http_server_response_time} of their own, which must not meet ours
   * on the page.
   */
  private static final String PREFIX = "hdr_sidecar.";

  /**
   * Dashboards and Prometheus' own rules look for {@code process_resident_memory_bytes}, {@code
   * process_open_fds} and the like of whoever is scraped, so these have their names; the store
   * refuses series whose names start so.
   */
  private static final String PROCESS = "process.";

  /** Those of RFC 9110, and PATCH. */
  private static final Set<HttpMethod> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.POST,
          HttpMethod.PUT,
          HttpMethod.DELETE,
          HttpMethod.CONNECT,
          HttpMethod.OPTIONS,
          HttpMethod.TRACE,
          HttpMethod.PATCH);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final long startMillis = System.currentTimeMillis();
  private final JvmGcMetrics gc = new JvmGcMetrics();

  /** Meters hold what they read from only weakly. */
  private final List<LongSupplier> sources = new ArrayList<>();

  /** A registry with the metrics of the JVM and of the build. */
  public SelfMetrics(String version) {
    registry.config().meterFilter(new Prefix());
    // Names that promtool refuses (process.cpu.time ends in _ns) or that say nothing of us.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith(PROCESS + "cpu.time"));
    registry.config().meterFilter(MeterFilter.denyNameStartsWith(PREFIX + "system."));
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    gc.bindTo(registry);
    bindCpuTime();
    Gauge.builder("process.resident.memory", ResidentMemory::bytes)
        .baseUnit("bytes")
        .description("Memory of the machine that the process takes")
        .register(registry);
    Gauge.builder("hdr_sidecar.build.info", () -> 1)
        .description("Always 1; says which version runs, and on which Java")
        .tag("version", version)
        .tag("java", System.getProperty("java.version", "unknown"))
        .register(registry);
  }

  private void bindCpuTime() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, s -> s.getProcessCpuTime() / 1e9)
          .baseUnit("seconds")
          .description("Processor time used by the process")
          .register(registry);
    }
  }

  /** The registry, for stages that count for themselves and for the exposition. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Options that make a Vert.x report to this registry, with {@link #vertxMetricsFactory}. */
  public VertxOptions vertxOptions() {
    MicrometerMetricsOptions metrics =
        new MicrometerMetricsOptions()
            // Vert.x keeps registries by name for the whole JVM: two sidecars must not share one.
            .setRegistryName("hdr-sidecar-" + UUID.randomUUID())
            .setLabels(
                EnumSet.of(Label.HTTP_ROUTE, Label.HTTP_CODE, Label.POOL_TYPE, Label.POOL_NAME))
            .setServerRequestTagsProvider(SelfMetrics::methodTag)
            .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
            .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
            .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
            .addDisabledMetricsCategory(MetricsDomain.HTTP_CLIENT)
            .addDisabledMetricsCategory(MetricsDomain.VERTICLES);
    metrics.setEnabled(true);
    return new VertxOptions().setMetricsOptions(metrics);
  }

  /**
   * Vert.x' own label has the method as it came, and whoever can connect may make up as many as he
   * likes: each would be a meter for good.
   */
  private static Tags methodTag(HttpRequest request) {
    HttpMethod method = request.method();
    return Tags.of(
        Label.HTTP_METHOD.toString(), METHODS.contains(method) ? method.name() : "other");
  }

  /** Goes into {@code Vertx.builder().with(vertxOptions()).withMetrics(...)}. */
  public VertxMetricsFactory vertxMetricsFactory() {
    return new MicrometerMetricsFactory(registry);
  }

  /**
   * Shows what the log does not.
   *
   * @param suppressedLines left out so far; any thread
   */
  public void bindLog(LongSupplier suppressedLines) {
    counter(
        "log.suppressed",
        "Lines left out of the log, as there were too many of their kind",
        suppressedLines);
  }

  /** Shows what the store holds, merged and refused. */
  public void bind(SeriesStore store) {
    registry.getPrometheusRegistry().register(new StoreCollector(store, startMillis));
  }

  /** Shows what the history takes and holds. */
  public void bind(History history) {
    gauge("history.bytes", "Memory of the history", history::usedBytes);
    gauge("history.limit.bytes", "Most memory the history may take", history::maxBytes);
    gauge(
        "history.intervals",
        "Intervals in the history, sums of several counted as one",
        history::intervals);
    counter(
        "history.dropped.intervals",
        "Intervals the history gave up because no resolution was left to give up",
        history::droppedIntervals);
  }

  /**
   * Shows what may be held at most, beside hdr_sidecar_counts_bytes and the JVM's own figures of
   * what is.
   */
  public void bind(MemoryBound bound) {
    gauge(
        "memory.bound.bytes",
        "Most memory that all that clients send and ask for can take",
        bound::totalBytes);
    for (MemoryItem item : bound.items()) {
      gauge(
          "memory.bound.item.bytes",
          "The parts of hdr_sidecar_memory_bound_bytes",
          item::maxBytes,
          "item",
          item.name());
    }
  }

  /**
   * Shows what each use of the heap may hold, holds and has held, and how often it was too much.
   */
  public void bind(HeapBudget heap) {
    for (HeapBudget.Use use : HeapBudget.Use.values()) {
      HeapShare share = heap.share(use);
      String name = use.label();
      gauge("heap.share.bytes", "Most bytes of the heap for a use", share::maxBytes, "use", name);
      gauge("heap.share.held.bytes", "Bytes of it held now", share::heldBytes, "use", name);
      gauge(
          "heap.share.peak.bytes", "Most bytes of it ever held", share::mostHeldBytes, "use", name);
      counter(
          "heap.share.refused", "How often there was no room in it", share::refused, "use", name);
    }
  }

  /** Shows what was received. */
  public void bind(ReceiveFigures receive) {
    counter("received.bytes", "Bytes received from clients", receive.bytes());
    counter("received.frames", "Whole frames received from clients", receive.frames());
    counter(
        "duplicate.intervals",
        "Intervals received again after they had been merged",
        receive.duplicates());
    counter("connections.accepted", "Connections accepted", receive.connectionsAccepted());
    counter(
        "connection.pauses",
        "How often a client was not read from until it had read its answers",
        receive.pauses());
    gauge("connections", "Connections of clients, open now", receive.connections());
    gauge(
        "last.client.said.goodbye",
        "1 when the client that left last said goodbye, 0 when it was cut off or none has left",
        receive.lastSaidGoodbye());
    gauge("known.instances", "Client instances known now", receive.instances());
    counter(
        "health.dropped",
        "HEALTH frames of clients for which there was no room",
        receive.healthDroppedFrames());
    counter(
        "health.unknown.figures",
        "Figures in HEALTH whose names are unknown",
        receive.unknownFigures());
    receive
        .lost()
        .forEach(
            (reason, values) ->
                counter("lost.values", "Values lost, by reason", values, "reason", reason));
  }

  /** Shows how the journal is doing. */
  public void bind(JournalFigures journal) {
    counter("journal.written.bytes", "Bytes written to the journal", journal.bytes());
    counter("journal.flushes", "Flushes of the journal", journal.flushes());
    counter("journal.failures", "Failed attempts to write the journal", journal.failures());
    gauge(
        "journal.unwritten.records",
        "Records acknowledged that no file and no checkpoint has",
        journal.unwritten());
    gauge("journal.lag.records", "Records merged and not yet flushed", journal.lag());
    gauge("journal.queued.bytes", "Bytes waiting to be written", journal.queuedBytes());
    gauge("journal.files", "Files of the journal", journal.files());
    gauge("journal.file.bytes", "Size of the files of the journal", journal.fileBytes());
    gauge(
        "journal.last.checkpoint.timestamp.seconds",
        "When the last checkpoint was completed, 0 for never",
        journal.lastCheckpoint());
    gauge("journal.damaged.records", "Records unreadable at start", journal.damaged());
    gauge("journal.missing.records", "Records not there at start", journal.missing());
    gauge(
        "journal.torn.bytes",
        "Bytes cut off from the ends of files at start, as they are no whole record",
        journal.torn());
    gauge(
        "journal.unrestored.values",
        "Values that found no room at start in the counts since start; the journal has them",
        journal.unrestored());
    journal
        .states()
        .forEach(
            (state, value) ->
                gauge("journal.state", "1 for the state the journal is in", value, "state", state));
  }

  /** Shows what was picked up from the spill folder. */
  public void bind(SpillCounters spill) {
    String files = "Spill files of clients, by what came of them";
    counter("spill.files", files, spill::mergedFiles, "result", "merged");
    counter("spill.files", files, spill::damagedFiles, "result", "damaged");
    String intervals = "Intervals in spill files, by what came of them";
    counter("spill.intervals", intervals, spill::mergedIntervals, "result", "merged");
    counter("spill.intervals", intervals, spill::duplicateIntervals, "result", "duplicate");
    counter("spill.intervals", intervals, spill::refusedIntervals, "result", "refused");
    counter("spill.intervals", intervals, spill::damagedRecords, "result", "damaged");
    counter("spill.failures", "Failed attempts to pick up spill files", spill::failures);
    gauge(
        "spill.last.scan.timestamp.seconds",
        "When the spill folder was last looked into to the end, 0 for never",
        () -> spill.lastScanMillis() / 1_000);
  }

  /**
   * Shows what clients report about themselves.
   *
   * @param clients those known now; any thread
   */
  public void bindClients(Supplier<Collection<ClientFigures>> clients) {
    registry.getPrometheusRegistry().register(new ClientHealthCollector(clients));
  }

  private void gauge(String name, String help, LongSupplier value, String... tags) {
    sources.add(value);
    Gauge.builder("hdr_sidecar." + name, value, v -> (double) v.getAsLong())
        .description(help)
        .tags(tags)
        .register(registry);
  }

  private void counter(String name, String help, LongSupplier value, String... tags) {
    sources.add(value);
    FunctionCounter.builder("hdr_sidecar." + name, value, v -> (double) v.getAsLong())
        .description(help)
        .tags(tags)
        .register(registry);
  }

  /** Stops listening to the garbage collector and closes the registry. */
  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  private static final class Prefix implements MeterFilter {
    /** Micrometer's names of what everybody else calls otherwise. */
    private static final Map<String, String> USUAL =
        Map.of("process.files.open", "process.open.fds", "process.files.max", "process.max.fds");

    @Override
    public Meter.Id map(Meter.Id id) {
      String usual = USUAL.get(id.getName());
      if (usual != null) {
        return id.withName(usual).withBaseUnit(null);
      }
      boolean isNamed = id.getName().startsWith(PREFIX) || id.getName().startsWith(PROCESS);
      return isNamed ? id : id.withName(PREFIX + id.getName());
    }
  }
}
