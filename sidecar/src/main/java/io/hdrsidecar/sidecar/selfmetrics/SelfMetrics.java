package io.hdrsidecar.sidecar.selfmetrics;

import com.sun.management.OperatingSystemMXBean;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.receive.ClientFigures;
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
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The sidecar's own metrics: a Micrometer registry in Prometheus' form that holds those of Vert.x,
 * of the JVM and of each stage.
 *
 * <p>Stages are bound once, at start-up, by one thread; their counters are read by scrapes. {@link
 * #close} frees the registry.
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
   * process_open_fds} and the like of the process that is scraped, so these have their names; the
   * store refuses series whose names start so.
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
  private final List<DoubleSupplier> sources = new ArrayList<>();

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
   * Vert.x' own label has the method as it came, and a stranger that can connect may make up as
   * many as he likes: each would be a meter for good.
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

  /** Shows what the store holds, merged and refused. */
  public void bind(SeriesStore store) {
    registry.getPrometheusRegistry().register(new StoreCollector(store, startMillis));
  }

  /** Shows what a stage declares. */
  public void bind(List<Metric> metrics) {
    for (Metric metric : metrics) {
      sources.add(metric.value());
      String name = PREFIX + metric.name();
      String[] tags = metric.labels().toArray(String[]::new);
      ToDoubleFunction<DoubleSupplier> value = DoubleSupplier::getAsDouble;
      if (metric.isCounter()) {
        FunctionCounter.builder(name, metric.value(), value)
            .description(metric.help())
            .tags(tags)
            .register(registry);
      } else {
        Gauge.builder(name, metric.value(), value)
            .description(metric.help())
            .tags(tags)
            .register(registry);
      }
    }
  }

  /**
   * Shows what clients report about themselves.
   *
   * @param clients those known now; any thread
   */
  public void bindClients(Supplier<Collection<ClientFigures>> clients) {
    registry.getPrometheusRegistry().register(new ClientHealthCollector(clients));
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
