package io.hdrsidecar.sidecar.selfmetrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.hdrsidecar.sidecar.metric.Amounts;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What the process takes, under the names that Prometheus' clients give it, and what its JVM does.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics">
 *     process metrics</a>
 */
final class ProcessMetrics {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private ProcessMetrics() {}

  static void addTo(MetricRegistry registry) {
    registry.add(ofProcess());
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      registry.add(ofSystem(system));
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    addMemory(registry, "heap", memory::getHeapMemoryUsage);
    addMemory(registry, "nonheap", memory::getNonHeapMemoryUsage);
    registry.add(
        Metric.gauge(
            "jvm.memory.max.bytes",
            "Most memory that the heap may take",
            () -> memory.getHeapMemoryUsage().getMax(),
            "area",
            "heap"));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    registry.add(Metric.gauge("jvm.threads", "Threads of the JVM", threads::getThreadCount));
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      registry.addSummary(
          "jvm.gc.collection.seconds",
          "Garbage collections, and the time they took",
          () -> new Amounts.CountAndSum(gc.getCollectionCount(), gc.getCollectionTime() / MILLIS),
          "gc",
          gc.getName());
    }
  }

  private static List<Metric> ofProcess() {
    double started = ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS;
    return List.of(
        gauge("process.start.time.seconds", "When the process began, since 1970", () -> started),
        gauge(
            "process.resident.memory.bytes",
            "Memory of the machine that the process takes",
            ResidentMemory::bytes));
  }

  private static List<Metric> ofSystem(UnixOperatingSystemMXBean system) {
    return List.of(
        new Metric(
            "process.cpu.seconds",
            "Processor time used by the process",
            true,
            () -> system.getProcessCpuTime() / NANOS,
            List.of()),
        Metric.gauge("process.open.fds", "Files open", system::getOpenFileDescriptorCount),
        Metric.gauge(
            "process.max.fds", "Most files that may be open", system::getMaxFileDescriptorCount));
  }

  private static void addMemory(MetricRegistry registry, String area, Supplier<MemoryUsage> usage) {
    registry.add(
        List.of(
            Metric.gauge(
                "jvm.memory.used.bytes",
                "Memory of the JVM in use",
                () -> usage.get().getUsed(),
                "area",
                area),
            Metric.gauge(
                "jvm.memory.committed.bytes",
                "Memory the JVM has from the machine",
                () -> usage.get().getCommitted(),
                "area",
                area)));
  }

  private static Metric gauge(String name, String help, DoubleSupplier value) {
    return new Metric(name, help, false, value, List.of());
  }
}
