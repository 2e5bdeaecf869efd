package io.hdrsidecar.benchmarks.peers.measure;

import java.util.Arrays;

/**
 * What one series recorded, known without any peer: the values, sorted, each as often as it was.
 */
public final class Truth {
  private final long[] values;
  private final long[] upTo; // events at or below the value of the same index

  /**
   * @param table the values in the order in which events take them, again and again
   * @param events events of all series
   * @param seriesCount event k belongs to series k % seriesCount
   * @param series the one meant here
   */
  public Truth(long[] table, long events, int seriesCount, int series) {
    long[] often = new long[table.length];
    for (long event = series; event < events; event += seriesCount) {
      often[(int) (event % table.length)]++;
    }
    Integer[] order = new Integer[table.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(table[a], table[b]));
    values = new long[table.length];
    upTo = new long[table.length];
    long sum = 0;
    for (int i = 0; i < order.length; i++) {
      sum += often[order[i]];
      values[i] = table[order[i]];
      upTo[i] = sum;
    }
  }

  /** Events of the series. */
  public long count() {
    return upTo[upTo.length - 1];
  }

  /** The value at the rank ceil(quantile x count), from 1 on, of the sorted list. */
  public long value(double quantile) {
    long rank = Math.max(1, (long) Math.ceil(quantile * count() - 1e-9));
    int at = Arrays.binarySearch(upTo, rank);
    if (at < 0) {
      return values[-at - 1];
    }
    while (at > 0 && upTo[at - 1] == rank) {
      at--; // values that were not recorded follow with the same sum
    }
    return values[at];
  }
}
