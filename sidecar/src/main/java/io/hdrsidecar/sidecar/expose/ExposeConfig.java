package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.List;
import java.util.Map;

/**
 * How series are shown to Prometheus. A bucket's upper edge in a native histogram is {@code
 * 2^(2^-schema)} times its lower one, 9.05 % more for schema 3; 160 such buckets are 20 powers of
 * two, as from 10 us to 10 s, before the schema falls.
 */
public record ExposeConfig(
    @Setting(
            key = "expose.quantiles",
            byDefault = "0.5,0.9,0.99,0.999,0.9999,1",
            range = "0 to 1",
            form = "list of numbers from 0 to 1, ascending; 1 is the exact maximum; empty for none",
            help = "Quantiles of the window gauges.",
            reloadable = true)
        List<Double> quantiles,
    @Setting(
            key = "expose.seconds-edges",
            byDefault = "0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10",
            form = EDGES,
            help = "Edges (le) of the classic buckets of durations, in seconds.",
            reloadable = true)
        List<Double> secondsEdges,
    @Setting(
            key = "expose.bytes-edges",
            byDefault = "256,1024,4096,16384,65536,262144,1048576,4194304,16777216",
            form = EDGES,
            help = "Edges (le) of the classic buckets of sizes, in bytes.",
            reloadable = true)
        List<Double> bytesEdges,
    @Setting(
            key = "expose.plain-edges",
            byDefault = "1,2,5,10,20,50,100,200,500,1000",
            form = EDGES,
            help = "Edges (le) of the classic buckets of plain numbers.",
            reloadable = true)
        List<Double> plainEdges,
    @Setting(
            key = "expose.native-schema",
            byDefault = "3",
            range = "-4 to 8",
            help = "Finest schema of native histograms: 2^schema buckets to a power of two.",
            reloadable = true)
        int nativeSchema,
    @Setting(
            key = "expose.native-max-buckets",
            byDefault = "160",
            range = "16 to 100000",
            help = "Most buckets of a native histogram before it falls to a coarser schema.",
            reloadable = true)
        int nativeMaxBuckets) {
  static final String EDGES = "list of numbers, ascending; empty for none";

  /** The settings that {@code serve} uses unless told otherwise. */
  public static ExposeConfig defaults() {
    return SettingRecords.of(ExposeConfig.class, Map.of());
  }

  /** The edges for a unit, in its base unit. */
  public List<Double> edges(Unit unit) {
    return switch (unit) {
      case NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS -> secondsEdges;
      case BYTES -> bytesEdges;
      case NONE -> plainEdges;
    };
  }
}
