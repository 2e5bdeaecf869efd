package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.export.SeriesExport;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The push of series, if it is on; if not, no class of its package is loaded. */
interface ExportStage extends AutoCloseable {
  /** Starts its thread. */
  void start();

  /** Pushes what there is once more, and ends. Blocks; idempotent. */
  void drain();

  /** Ends. Idempotent. */
  @Override
  void close();

  /** Its metrics. */
  List<Metric> metrics();

  /** The stage that a configuration asks for. */
  static ExportStage of(@Nullable ExportConfig config, SeriesStore store, HeapShare share) {
    return config == null ? new ExportOff() : new ExportOn(config, store, share);
  }

  /** Series are pushed. */
  final class ExportOn implements ExportStage {
    private final SeriesExport export;

    ExportOn(ExportConfig config, SeriesStore store, HeapShare share) {
      export = new SeriesExport(config, store, Version.text(), share);
    }

    @Override
    public void start() {
      export.start();
    }

    @Override
    public void drain() {
      export.drain();
    }

    @Override
    public void close() {
      export.close();
    }

    @Override
    public List<Metric> metrics() {
      return export.metrics();
    }
  }

  /** None are. */
  final class ExportOff implements ExportStage {
    @Override
    public void start() {}

    @Override
    public void drain() {}

    @Override
    public void close() {}

    @Override
    public List<Metric> metrics() {
      return List.of();
    }
  }
}
