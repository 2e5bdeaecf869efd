package io.hdrsidecar.tests.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the processes of one run recorded, from the files they left.
 *
 * @param least by series, what must be exposed: all of a process that ended in order, and of one
 *     that was killed what must have been acknowledged
 * @param most by series, every value in the files: no more can have been recorded
 * @param ledgers what each process said of itself
 */
record RunTruth(List<SeriesTruth> least, List<SeriesTruth> most, List<Ledger> ledgers) {
  static RunTruth read(Path folder, List<ClientLife> lives) throws IOException {
    RunTruth truth = new RunTruth(noSeries(), noSeries(), new ArrayList<>());
    for (ClientLife life : lives) {
      truth.add(folder, life);
    }
    return truth;
  }

  private static List<SeriesTruth> noSeries() {
    return Stream.generate(SeriesTruth::new).limit(ChaosClient.SERIES).toList();
  }

  private void add(Path folder, ClientLife life) throws IOException {
    Ledger ledger = Ledger.read(folder.resolve(ChaosClient.ledgerFile(life.name())));
    ledgers.add(ledger);
    if (!life.killed() && !ledger.closed()) {
      throw new AssertionError(life.name() + " ended in order, but did not say how");
    }
    for (int thread = 0; thread < ChaosClient.THREADS; thread++) {
      long settled = ledger.settled().get(thread);
      long[] left = {life.killed() ? settled : Long.MAX_VALUE};
      Path file = folder.resolve(ChaosClient.truthFile(life.name(), thread));
      TruthFile.read(
          file,
          entry -> {
            int series = TruthFile.seriesOf(entry);
            most.get(series).add(TruthFile.valueOf(entry));
            if (left[0] > 0) {
              left[0]--;
              least.get(series).add(TruthFile.valueOf(entry));
            }
          });
      if (life.killed() && left[0] > 0) {
        throw new AssertionError(left[0] + " values were recorded that are not in " + file);
      }
    }
  }

  /** Values that the processes wrote down. */
  long recorded() {
    return most.stream().mapToLong(SeriesTruth::count).sum();
  }

  /** Values acknowledged, by the processes' own accounts. */
  long acknowledged() {
    return ledgers.stream().mapToLong(Ledger::acknowledged).sum();
  }
}
