package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.Versions;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Recorder;

/**
 * Libraries that record into any number of series. Who uses one keeps what it has for a series, and
 * looks nothing up where it need not.
 */
public enum RecordingDesign {
  /** On the heap. */
  OURS("**hdr-sidecar SeriesRecorder**", "hdrsidecar", 10_000) {
    @Override
    Recording of(int series) throws IOException {
      return ours(Counters.HEAP.recorders(series));
    }
  },

  /** In a file of 512 MiB. */
  MAPPED("hdr-sidecar SeriesRecorder in a file in memory", "hdrsidecar", 1_000) {
    @Override
    Recording of(int series) throws IOException {
      return ours(Counters.MAPPED.recorders(series));
    }
  },

  /** 271 kB each, and as much again for an interval. */
  RECORDER("HdrHistogram Recorder, fixed range", "hdrhistogram", 1_000) {
    @Override
    Recording of(int series) {
      Recorder[] recorders =
          Stream.generate(() -> new Recorder(1, Latencies.HIGHEST, 3))
              .limit(series)
              .toArray(Recorder[]::new);
      return (at, value) -> recorders[at].recordValue(value);
    }
  },

  /** With its defaults, its data points kept. */
  PROMETHEUS_NATIVE("Prometheus native histogram", "prometheus", 10_000) {
    @Override
    Recording of(int series) {
      Histogram histogram =
          Histogram.builder().name("latency_seconds").nativeOnly().labelNames("series").build();
      DistributionDataPoint[] points =
          IntStream.range(0, series)
              .mapToObj(i -> histogram.labelValues("series" + i))
              .toArray(DistributionDataPoint[]::new);
      return (at, value) -> points[at].observe(value / NANOS_PER_SECOND);
    }
  },

  /** 160 buckets, its attributes kept. */
  OPENTELEMETRY_EXPONENTIAL("OpenTelemetry exponential histogram", "opentelemetry", 10_000) {
    @Override
    Recording of(int series) {
      return openTelemetry(Aggregation.base2ExponentialBucketHistogram(), series);
    }
  },

  /** 16 buckets, its attributes kept. */
  OPENTELEMETRY_EXPLICIT("OpenTelemetry explicit histogram", "opentelemetry", 10_000) {
    @Override
    Recording of(int series) {
      return openTelemetry(Aggregation.explicitBucketHistogram(), series);
    }
  };

  private static final double NANOS_PER_SECOND = 1e9;

  private final String label;
  private final String library;
  private final int mostSeries;

  RecordingDesign(String label, String library, int mostSeries) {
    this.label = label;
    this.library = library;
    this.mostSeries = mostSeries;
  }

  /** What is recorded into. */
  interface Recording extends AutoCloseable {
    /** Any thread. */
    void record(int series, long value);

    @Override
    default void close() {}
  }

  /** Nothing recorded yet. */
  abstract Recording of(int series) throws IOException;

  /** Whether so many series have room in a heap of 2 GiB, or in the file. */
  boolean hasRoomFor(int series) {
    return series <= mostSeries;
  }

  /** The start of a line in a table: its name, and its version. */
  String cells() {
    return "| " + label + " | " + Versions.of(library) + " |";
  }

  private static Recording ours(List<SeriesRecorder> recorders) {
    SeriesRecorder[] all = recorders.toArray(SeriesRecorder[]::new);
    BenchmarkSampler sampler = new BenchmarkSampler(recorders);
    return new Recording() {
      @Override
      public void record(int series, long value) {
        all[series].record(value);
      }

      @Override
      public void close() {
        sampler.close();
      }
    };
  }

  private static Recording openTelemetry(Aggregation aggregation, int series) {
    SdkMeterProvider provider = UnreadMeter.provider(aggregation);
    LongHistogram histogram = UnreadMeter.histogram(provider);
    AttributeKey<String> key = AttributeKey.stringKey("series");
    Attributes[] attributes =
        IntStream.range(0, series)
            .mapToObj(i -> Attributes.of(key, "series" + i))
            .toArray(Attributes[]::new);
    return new Recording() {
      @Override
      public void record(int at, long value) {
        histogram.record(value, attributes[at]);
      }

      @Override
      public void close() {
        provider.close();
      }
    };
  }
}
