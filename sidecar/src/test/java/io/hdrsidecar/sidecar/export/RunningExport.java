package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricValues;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An export of a store, with shorter waits between requests than settings allow. */
final class RunningExport implements AutoCloseable {
  static final Map<String, String> RESOURCE =
      Map.of("service.name", "checkout", "service.instance.id", "pod-1:9925");

  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final Duration WAIT = Duration.ofMillis(50);

  /** How long a slow machine may take to end; no test waits for it. */
  private static final Duration DRAIN = Duration.ofMinutes(1);

  private final HeapShare share =
      HeapBudget.of(8L << 30).share(HeapBudget.Use.SCRAPES).atMost(8 << 20);
  private final SeriesExport export;

  private RunningExport(
      URI address,
      SeriesStore store,
      Map<String, String> more,
      Map<String, String> resource,
      InstantSource clock) {
    Map<String, String> texts = new HashMap<>(more);
    boolean isRemoteWrite = address.getPath().equals(Receiver.REMOTE_WRITE);
    texts.put(
        isRemoteWrite ? ExportConfig.REMOTE_WRITE_ADDRESS : ExportConfig.OTLP_ADDRESS,
        address.toString());
    ExportConfig config = SettingRecords.of(ExportConfig.class, texts, resource);
    export = new SeriesExport(hastened(config), store, "1.2.3", share, clock, WAIT);
  }

  private static ExportConfig hastened(ExportConfig config) {
    return new ExportConfig(
        INTERVAL,
        config.otlpAddress(),
        config.remoteWriteAddress(),
        config.timeout(),
        config.temporality(),
        config.maxBuckets(),
        config.compression(),
        config.tokenFile(),
        config.headersFile(),
        config.ca(),
        config.certificate(),
        config.key(),
        DRAIN,
        config.resource());
  }

  /** One that does not run yet. */
  static RunningExport of(URI address, SeriesStore store, Map<String, String> more) {
    return new RunningExport(address, store, more, RESOURCE, InstantSource.system());
  }

  static RunningExport started(URI address, SeriesStore store, Map<String, String> more) {
    return started(address, store, more, InstantSource.system());
  }

  static RunningExport started(
      URI address, SeriesStore store, Map<String, String> more, InstantSource clock) {
    RunningExport running = new RunningExport(address, store, more, RESOURCE, clock);
    running.start();
    return running;
  }

  /** One of this resource. */
  static RunningExport startedFor(URI address, SeriesStore store, Map<String, String> resource) {
    RunningExport running =
        new RunningExport(address, store, Map.of(), resource, InstantSource.system());
    running.start();
    return running;
  }

  /** A store as a sidecar has it by default. */
  static SeriesStore store() {
    return new SeriesStore(MergeConfig.defaults());
  }

  void start() {
    export.start();
  }

  void drain() {
    export.drain();
  }

  /** A metric as it is now; with a label, if there are several of the name. */
  double value(String metric, String label) {
    return MetricValues.value(export.metrics(), metric, label);
  }

  /** Waits until a metric is above 0; the time limit is the test's. */
  void await(String metric, String label) throws InterruptedException {
    while (value(metric, label) == 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** The most memory that it has held. */
  long mostHeldBytes() {
    return share.mostHeldBytes();
  }

  /** Memory that it holds. */
  long heldBytes() {
    return share.heldBytes();
  }

  @Override
  public void close() {
    export.close();
  }
}
