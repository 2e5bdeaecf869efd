package io.hdrsidecar.tests.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one client process recorded, from the files it left.
 *
 * @param all by series, every value in its files: no more can have been recorded
 * @param settled by series, the values that must have been acknowledged: no less may be exposed
 * @param ledger what the process said of itself
 */
record LifeTruth(List<SeriesTruth> all, List<SeriesTruth> settled, Ledger ledger) {
  static LifeTruth read(Path folder, String run) throws IOException {
    Ledger ledger = Ledger.read(folder.resolve(ChaosClient.ledgerFile(run)));
    List<SeriesTruth> all = empty();
    List<SeriesTruth> settled = empty();
    for (int thread = 0; thread < ChaosClient.THREADS; thread++) {
      long[] left = {ledger.settled().get(thread)};
      TruthFile.read(
          folder.resolve(ChaosClient.truthFile(run, thread)),
          entry -> {
            all.get(TruthFile.seriesOf(entry)).add(TruthFile.valueOf(entry));
            if (left[0]-- > 0) {
              settled.get(TruthFile.seriesOf(entry)).add(TruthFile.valueOf(entry));
            }
          });
      if (left[0] > 0) {
        throw new AssertionError(run + " recorded what is not in its truth file: " + left[0]);
      }
    }
    return new LifeTruth(all, settled, ledger);
  }

  private static List<SeriesTruth> empty() {
    return Stream.generate(SeriesTruth::new).limit(ChaosClient.SERIES).toList();
  }

  /** Values of all series. */
  static long count(List<SeriesTruth> series) {
    return series.stream().mapToLong(SeriesTruth::count).sum();
  }
}
